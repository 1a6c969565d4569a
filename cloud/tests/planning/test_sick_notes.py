"""Sick notes: handed in by their employee, readable only by them and the company's administrators, not forever."""

import io

import pytest
from httpx2 import Response
from PIL import Image
from sqlalchemy import delete, func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.tables import CompanyKey, FileContent
from stempelwerk_cloud.planning.absences.decisions import rounds
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.databases import ON_SQLITE
from cloud.tests.planning.hostile import PAYLOAD
from cloud.tests.planning.hostile_pdfs import encrypted
from cloud.tests.planning.illness import (
    company_absences,
    decide,
    hand_in,
    messages_of,
    missed,
    note,
    own_absences,
    read_all,
    reported,
)
from cloud.tests.planning.plain_files import jpeg, pdf, picture, png, saved, webp
from cloud.tests.planning.test_absences import THURSDAY
from cloud.tests.room import logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

TEN_MB = 10 * 1024 * 1024


def files(world: World) -> int:
    with world.platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(FileContent)) or 0


def by_ticket(person: Somebody, path: str, asked_for: str | None = None) -> Response:
    ticket = person.post("/api/tickets", json={"path": asked_for or path}).json()["ticket"]
    return person.world.client.get(f"{path}?token={ticket}")


# --- who ------------------------------------------------------------------------------------------------------------


def test_nobody_but_the_employee_hands_in_a_note(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    (absence,) = reported(firm.anna)
    for person, status in ((firm.ben, 403), (firm.boss, 403), (world.founder, 403), (other_firm.anna, 404)):
        assert hand_in(person, absence["id"]).status_code == status
    assert hand_in(firm.anna, world.platform.ids.new()).status_code == 404
    path = f"/api/absences/{absence['id']}/upload-sick-note"
    assert world.client.post(path, files={"file": ("a.jpg", jpeg())}).status_code == 401
    assert own_absences(firm.anna)[0]["sickNotePath"] is None
    assert files(world) == 0


def test_a_note_is_read_by_its_owner_and_the_companys_administrators_alone(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    (absence,) = reported(firm.anna)
    hand_in(firm.anna, absence["id"])
    refused = (
        (firm.ben, 403),
        (other_firm.anna, 404),
        (other_firm.boss, 404),
        (world.founder, 403),
        (world.admin(), 403),
    )
    for person, status in refused:
        answer = note(person, absence["id"])
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    logged_before = logged(world, firm.id, "absence.")
    assert "absence.note_read" not in logged_before
    for person in (firm.anna, firm.boss):
        assert note(person, absence["id"]).status_code == 200
    assert logged(world, firm.id, "absence.")[len(logged_before) :] == ["absence.note_read"] * 2


def test_without_the_module_an_administrator_reads_no_note_and_the_employee_does(world: World, firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    hand_in(firm.anna, absence["id"])
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": []})
    answer = note(firm.boss, absence["id"])
    assert (answer.status_code, answer.json()["code"]) == (403, "feature_off")
    assert note(firm.anna, absence["id"]).status_code == 200
    assert hand_in(firm.anna, absence["id"]).status_code == 200


def test_a_ticket_opens_one_note_once(world: World, firm: Firm) -> None:
    first, second = (reported(firm.anna, day)[0]["id"] for day in ("2026-11-20", "2026-11-21"))
    for absence_id in (first, second):
        hand_in(firm.anna, absence_id)
    path = f"/api/absences/{first}/sick-note"
    for person in (firm.anna, firm.boss):
        ticket = person.post("/api/tickets", json={"path": path}).json()["ticket"]
        assert world.client.get(f"{path}?token={ticket}").status_code == 200
        assert world.client.get(f"{path}?token={ticket}").status_code == 401
    assert by_ticket(firm.anna, path, f"/api/absences/{second}/sick-note").status_code == 401
    assert by_ticket(firm.ben, path).status_code == 403
    assert by_ticket(world.founder, path).status_code == 403
    assert world.client.get(f"{path}?token={firm.anna.token}").status_code == 401
    assert world.client.get(path).status_code == 401


def test_a_report_that_was_taken_back_takes_no_note_and_one_with_days_left_takes_it_for_those(firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-19", "2026-11-20")
    assert firm.anna.delete(f"/api/absences/{first['id']}").status_code == 204
    assert hand_in(firm.anna, first["id"]).json()["id"] == second["id"]
    assert [(row["date"], row["sickNotePath"] is None) for row in own_absences(firm.anna)] == [
        ("2026-11-19", True),
        ("2026-11-20", False),
    ]
    assert firm.anna.delete(f"/api/absences/{second['id']}").status_code == 204
    answer = hand_in(firm.anna, second["id"])
    assert (answer.status_code, answer.json()["code"]) == (409, "taken_back")
    assert all(row["sickNotePath"] is None for row in own_absences(firm.anna))


def test_there_is_no_note_where_there_is_none(firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    assert note(firm.anna, absence["id"]).status_code == 404
    assert note(firm.boss, absence["id"]).status_code == 404


# --- what -----------------------------------------------------------------------------------------------------------


@ON_SQLITE
@pytest.mark.parametrize(
    ("content", "media_type", "ending"),
    [
        (jpeg(), "image/jpeg", "jpg"),
        (png(), "image/png", "png"),
        (webp(), "image/webp", "webp"),
        (pdf(), "application/pdf", "pdf"),
    ],
)
def test_a_note_comes_back_as_what_it_shows(firm: Firm, content: bytes, media_type: str, ending: str) -> None:
    (absence,) = reported(firm.anna)
    answer = hand_in(firm.anna, absence["id"], content, "irgendwas.exe")
    path = f"/api/absences/{absence['id']}/sick-note"
    assert (answer.status_code, answer.json()) == (200, absence | {"sickNotePath": path})
    shown_note = firm.boss.get(path)
    assert (shown_note.status_code, shown_note.headers["content-type"]) == (200, media_type)
    assert shown_note.headers["content-disposition"] == f'inline; filename="krankmeldung-2026-11-20.{ending}"'
    assert shown_note.headers["x-content-type-options"] == "nosniff"
    assert shown_note.headers["cache-control"] == "no-store"
    policy = shown_note.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "sandbox", "frame-ancestors 'none'"} <= set(policy)
    assert checking.kind_of(shown_note.content) == media_type


def test_nothing_of_a_photos_place_or_of_its_name_is_kept(world: World, firm: Firm) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8825)[29] = PAYLOAD.decode()
    exif[0x0112] = 6
    (absence,) = reported(firm.anna)
    photo = saved(picture(), "JPEG", exif=exif, comment=PAYLOAD)
    for name in (
        "../../../../etc/passwd",
        "a\0b.jpg",
        "n" * 4096 + ".pdf",
        "bild.jpg.exe",
        "<script>.svg",
        "ä\r\nX: y",
    ):
        assert hand_in(firm.anna, absence["id"], photo, name).status_code == 200, name
    shown_note = note(firm.anna, absence["id"])
    assert PAYLOAD not in shown_note.content
    assert Image.open(io.BytesIO(shown_note.content)).size == (40, 60)
    assert "script" not in str(shown_note.headers)
    assert files(world) == 1


@ON_SQLITE
def test_what_is_no_image_and_no_document_is_refused_with_a_reason(world: World, firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    hostile = {
        b"": "file_empty",
        b"<html></html>": "file_unsupported",
        b"MZ" + jpeg(): "file_unsupported",
        jpeg()[:200]: "file_damaged",
        encrypted("AES-256", "geheim"): "file_encrypted",
        pdf(21): "file_too_many_pages",
    }
    for content, code in hostile.items():
        answer = hand_in(firm.anna, absence["id"], content, "gut.jpg")
        assert (answer.status_code, answer.json()["code"]) == (422, code)
        assert answer.json()["errors"][0]["field"] == "file"
    assert files(world) == 0
    assert own_absences(firm.anna)[0]["sickNotePath"] is None


def test_a_form_without_a_file_is_refused(firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    path = f"/api/absences/{absence['id']}/upload-sick-note"
    form = "multipart/form-data"
    for request in (
        {},
        {"json": {"file": "x"}},
        {"content": jpeg(), "headers": {"Content-Type": "image/jpeg"}},
        {"files": {"datei": ("a.jpg", jpeg())}},
        {"data": {"file": "x"}},
        {"files": {"a": ("a.jpg", jpeg())}, "data": {"file": "x"}},
        {"content": b"--x\r\n", "headers": {"Content-Type": f"{form}; boundary=x"}},
        {"content": b"x", "headers": {"Content-Type": form}},
        {"content": b"\0\xff" * 50, "headers": {"Content-Type": f"{form}; boundary=x"}},
        {"content": b"--x\r\n" + b"A: b\r\n" * 5000 + b"\r\n", "headers": {"Content-Type": f"{form}; boundary=x"}},
    ):
        answer = firm.anna.post(path, **request)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "file"), (request, answer.text)


def test_ten_megabytes_are_taken_and_no_more(firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    largest = jpeg() + b"\0" * (TEN_MB - len(jpeg()))
    assert hand_in(firm.anna, absence["id"], largest).status_code == 200
    for extra in (b"\0", b"\0" * 1024 * 1024, b"\0" * TEN_MB):
        answer = hand_in(firm.anna, absence["id"], largest + extra)
        assert (answer.status_code, answer.json()["message"]) == (413, "Die Datei ist zu groß (höchstens 10 MB).")
    path = f"/api/absences/{absence['id']}/upload-sick-note"
    unannounced = firm.anna.post(path, content=iter([b"x" * 1024 * 1024] * 12))
    assert unannounced.status_code in {413, 422}


def test_other_calls_take_no_more_than_before(firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    large = {"message": "x" * (1024 * 1024)}
    assert firm.anna.post(f"/api/absences/{absence['id']}/message", json=large).status_code == 413
    assert firm.anna.post("/api/absences", json=large).status_code == 413
    assert firm.anna.post(f"/api/absences/{absence['id']}/upload-sick-note/x", json=large).status_code == 413


# --- when -----------------------------------------------------------------------------------------------------------


def test_a_note_covers_its_whole_report_and_replaces_an_older_one(world: World, firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    (another,) = reported(firm.anna, "2026-11-22")
    hand_in(firm.anna, second["id"], png())
    assert [row["sickNotePath"] is not None for row in own_absences(firm.anna)] == [True, True, False]
    assert note(firm.anna, first["id"]).headers["content-type"] == "image/png"
    hand_in(firm.anna, first["id"], pdf())
    assert files(world) == 1
    assert note(firm.anna, second["id"]).headers["content-type"] == "application/pdf"
    hand_in(firm.anna, another["id"])
    assert files(world) == 2


def test_the_administrators_are_told_also_of_a_late_note(world: World, firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    hand_in(firm.anna, first["id"])
    assert [payload["what"] for _, payload in messages_of(firm.boss)] == ["sick_note"]
    read_all(firm.boss)
    decide(firm.boss, first["id"], "decline", wholeReport=True)
    assert hand_in(firm.anna, second["id"]).status_code == 200
    payloads = [payload for _, payload in messages_of(firm.boss)]
    assert [(payload["what"], payload.get("date"), payload["status"]) for payload in payloads] == [
        ("sick_note", "2026-11-20", "open"),
        ("sick_note", "2026-11-21", "declined"),
    ]
    assert [row["status"] for row in own_absences(firm.anna)] == ["declined", "declined"]
    assert messages_of(firm.ben) == []


def test_a_missing_day_takes_a_note_and_brings_it_into_a_report(world: World, firm: Firm) -> None:
    (thursday,) = missed(firm, firm.anna, THURSDAY)
    assert hand_in(firm.anna, thursday, png()).status_code == 200
    reported(firm.anna, "2026-11-18", "2026-11-19")
    assert [row["sickNotePath"] is not None for row in own_absences(firm.anna)] == [False, True]
    hand_in(firm.anna, thursday, pdf())
    assert [row["sickNotePath"] is not None for row in own_absences(firm.anna)] == [True, True]
    assert files(world) == 1


def test_a_day_that_is_withdrawn_keeps_no_note_and_the_last_one_takes_the_file_along(world: World, firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    hand_in(firm.anna, second["id"])
    assert firm.anna.delete(f"/api/absences/{first['id']}").status_code == 204
    assert [row["sickNotePath"] is not None for row in own_absences(firm.anna)] == [False, True]
    assert firm.anna.delete(f"/api/absences/{second['id']}").status_code == 204
    assert files(world) == 0


def test_the_same_upload_sent_again_is_answered_again(world: World, firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    path = f"/api/absences/{absence['id']}/upload-sick-note"
    # The client makes another boundary each time.
    answers = [_upload(firm.anna, path, content, "k") for content in (jpeg(), jpeg(), png())]
    assert [answer.status_code for answer in answers] == [200, 200, 422]
    assert answers[0].json() == answers[1].json()
    assert answers[2].json()["code"] == "idempotency_key_reused"
    assert logged(world, firm.id, "absence.").count("absence.note_added") == 1


def _upload(person: Somebody, path: str, content: bytes, key: str) -> Response:
    return person.post(path, files={"file": ("a.jpg", content)}, headers={"Idempotency-Key": key})


# --- for how long ---------------------------------------------------------------------------------------------------


def test_a_note_goes_a_year_after_its_decision(world: World, firm: Firm, clock: SettableClock) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    (undecided,) = reported(firm.ben)
    hand_in(firm.anna, first["id"])
    hand_in(firm.ben, undecided["id"])
    decide(firm.boss, first["id"], "excuse")
    clock.advance(days=10)
    decide(world.again(firm.boss), second["id"], "excuse")
    clock.advance(days=365)
    rounds.remove_old_notes(world.platform)
    assert files(world) == 2, "the last day was decided on the 30th"
    clock.advance(days=1)
    rounds.remove_old_notes(world.platform)
    rounds.remove_old_notes(world.platform)
    assert files(world) == 1
    boss = world.again(firm.boss)
    assert {row["username"]: row["sickNotePath"] is None for row in company_absences(firm, reader=boss)} == {
        "anna": True,
        "ben": False,
    }
    assert note(boss, first["id"]).status_code == 404
    with world.platform.database.read(SYSTEM) as tx:
        noted_times = tx.scalars(select(Absence.noted_at).where(Absence.user_id == firm.anna.id)).all()
        assert None not in noted_times, "that there was one is known for the vacation account"
    assert logged(world, firm.id, "absence.").count("absence.note_removed") == 1
    clock.advance(days=3 * 366)
    rounds.remove_old_notes(world.platform)
    assert files(world) == 0


def test_a_company_says_for_how_long(world: World, firm: Firm, clock: SettableClock) -> None:
    path = f"/api/companies/{firm.id}/settings"
    assert firm.boss.get(path).json()["sickNoteMonths"] == 12
    for months in (0, 37, "12", 1.5, True):
        assert firm.boss.put(path, json={"sickNoteMonths": months}).status_code == 422
    assert firm.boss.put(path, json={"sickNoteMonths": 1}).status_code == 200
    other_firm = world.firm("Andere")
    for company in (firm, other_firm):
        (absence,) = reported(company.anna)
        hand_in(company.anna, absence["id"])
        decide(company.boss, absence["id"], "decline")
    clock.advance(days=32)
    rounds.remove_old_notes(world.platform)
    assert files(world) == 1


def test_notes_of_a_closed_company_go_as_well(world: World, firm: Firm, clock: SettableClock) -> None:
    (absence,) = reported(firm.anna)
    hand_in(firm.anna, absence["id"])
    decide(firm.boss, absence["id"], "excuse")
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 204
    clock.advance(days=366)
    rounds.remove_old_notes(world.platform)
    assert files(world) == 0


def test_a_note_that_does_not_open_is_said_to(world: World, firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    hand_in(firm.anna, absence["id"])
    with world.platform.database.write(SYSTEM) as tx:
        tx.execute(delete(CompanyKey))
    answer = note(firm.boss, absence["id"])
    assert (answer.status_code, answer.json()["code"]) == (404, "note_unreadable")
    assert "absence.note_read" not in logged(world, firm.id, "absence.")
