"""Inquiries: what is refused, what is stored and for how long, and who gets it by mail."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import func, select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.inquiries import service
from stempelwerk_cloud.people.inquiries.tables import Inquiry

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.meeting import all_at_once
from cloud.tests.paging import pages
from cloud.tests.people.noticing import later
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, World

TO = "anfragen@stempelwerk.example"
PATH = "/api/inquiries"
UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
CONTACT = {"name": "Ina Ilm", "email": "ina@ilm.example", "nachricht": "Guten Tag,\n\twas kostet das?"}
DEFAULTS = {"anzahl": 1, "version": "wand", "branding": False, "support": "basis", "hosting": "cloud"}


@pytest.fixture
def taking(platform: Platform) -> Platform:
    """Returns an installation that accepts any number of inquiries."""
    platform.settings = platform.settings.model_copy(update={"inquiry_email": TO})
    platform.rates.spend = lambda *_, **__: None  # type: ignore[method-assign]
    return platform


def _send(client: TestClient, kind: str = "contact", **fields: Any) -> Response:
    return client.post(PATH, json={"kind": kind, "fields": fields})


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _count(platform: Platform) -> int:
    with platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(Inquiry)) or 0


def _planned(platform: Platform) -> list[str]:
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(select(OutboxRow.kind)))


def test_where_no_address_is_set_nothing_is_taken(client: TestClient, platform: Platform) -> None:
    for body in ({"kind": "contact", "fields": CONTACT}, {"kind": "nonsense"}):
        answer = client.post(PATH, json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_inquiries")
        assert answer.json()["message"] == "Hier werden keine Anfragen angenommen."
    assert _count(platform) == 0


@ON_SQLITE
@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"anzahl": 0}, "anzahl", "Zu klein (mindestens 1)."),
        ({"anzahl": 1001}, "anzahl", "Zu groß (höchstens 1000)."),
        ({"anzahl": True}, "anzahl", "Ganze Zahl erwartet."),
        ({"anzahl": "3"}, "anzahl", "Ganze Zahl erwartet."),
        ({"anzahl": 1.5}, "anzahl", "Ganze Zahl erwartet."),
        ({"version": "decke"}, "version", "Unbekannter Wert."),
        ({"branding": 1}, "branding", "Wahrheitswert erwartet."),
        ({"branding": "true"}, "branding", "Wahrheitswert erwartet."),
        ({"kundenname": "Ilm"}, "kundenname", "Nur zusammen mit Branding."),
        ({"branding": False, "logo": "ilm.png"}, "logo", "Nur zusammen mit Branding."),
        ({"branding": True, "kundenname": "x" * 201}, "kundenname", "Zu lang (höchstens 200 Zeichen)."),
        ({"branding": True, "kundenname": "I\x1bm"}, "kundenname", "Steuerzeichen sind hier nicht erlaubt."),
        ({"branding": True, "kundenname": "I\nm"}, "kundenname", "Steuerzeichen sind hier nicht erlaubt."),
        ({"branding": True, "kundenname": 7}, "kundenname", "Text erwartet."),
        ({"branding": True, "logo": "x" * 252 + ".png"}, "logo", "Zu lang (höchstens 255 Zeichen)."),
        ({"branding": True, "logo": "../ilm.png"}, "logo", "Ein Dateiname ohne Ordner wird erwartet."),
        ({"branding": True, "logo": "c:\\ilm.png"}, "logo", "Ein Dateiname ohne Ordner wird erwartet."),
        ({"branding": True, "logo": "i\x07.png"}, "logo", "Steuerzeichen sind hier nicht erlaubt."),
        (
            {"branding": True, "logo": "ilm.exe"},
            "logo",
            "Ein Dateiname mit .png, .jpg, .jpeg oder .svg wird erwartet.",
        ),
        ({"branding": True, "logo": {"name": "ilm.png"}}, "logo", "Text erwartet."),
        ({"support": "gold"}, "support", "Unbekannter Wert."),
        ({"hosting": "mond"}, "hosting", "Unbekannter Wert."),
        ({"email": "ina"}, "email", "Keine gültige E-Mail-Adresse."),
        ({"farbe": "rot"}, "farbe", "Unbekanntes Feld."),
        ({"message": "Hallo"}, "message", "Unbekanntes Feld."),
    ],
)
def test_an_offer_with_a_wrong_field_is_refused_at_that_field(
    taking: Platform, client: TestClient, fields: dict[str, Any], field: str, message: str
) -> None:
    answer = _send(client, "offer", **fields)
    assert answer.status_code == 422, answer.text
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert error["message"] == message
    assert _count(taking) == 0


@ON_SQLITE
@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"name": None}, "name", "Text erwartet."),
        ({"name": " \t"}, "name", "Steuerzeichen sind hier nicht erlaubt."),
        ({"name": "  "}, "name", "Bitte ausfüllen."),
        ({"name": "x" * 201}, "name", "Zu lang (höchstens 200 Zeichen)."),
        ({"name": "Ina\r\nBcc: b@x.example"}, "name", "Steuerzeichen sind hier nicht erlaubt."),
        ({"name": "Ina \u202eanI"}, "name", "Steuerzeichen sind hier nicht erlaubt."),
        ({"name": "Ina\u2028Bcc"}, "name", "Steuerzeichen sind hier nicht erlaubt."),
        ({"name": "\u200b"}, "name", "Bitte ausfüllen."),
        ({"email": ""}, "email", "Bitte ausfüllen."),
        ({"email": "ina@"}, "email", "Keine gültige E-Mail-Adresse."),
        ({"email": "ina@\u2603.example"}, "email", "Keine gültige E-Mail-Adresse."),
        ({"email": "a@x.example, b@x.example"}, "email", "Keine gültige E-Mail-Adresse."),
        ({"email": "a@x.example\r\nBcc: b@x.example"}, "email", "Steuerzeichen sind hier nicht erlaubt."),
        ({"nachricht": "\n \n"}, "nachricht", "Bitte ausfüllen."),
        ({"nachricht": "x" * 5001}, "nachricht", "Zu lang (höchstens 5000 Zeichen)."),
        ({"nachricht": "a\x07b"}, "nachricht", "Steuerzeichen sind hier nicht erlaubt."),
        ({"nachricht": ["a"]}, "nachricht", "Text erwartet."),
        ({"message": "auch"}, "message", "Unbekanntes Feld."),
        ({"anzahl": 3}, "anzahl", "Unbekanntes Feld."),
    ],
)
def test_a_letter_with_a_wrong_field_is_refused_at_that_field(
    taking: Platform, client: TestClient, change: dict[str, Any], field: str, message: str
) -> None:
    answer = _send(client, **CONTACT | change)
    assert answer.status_code == 422, answer.text
    messages = {error["field"]: error["message"] for error in answer.json()["errors"]}
    assert messages == {field: message}
    assert _count(taking) == 0


def test_what_is_missing_is_named(taking: Platform, client: TestClient) -> None:
    errors = _send(client).json()["errors"]
    required = ["name", "email", "nachricht"]
    assert errors == [{"field": name, "message": "Pflichtfeld fehlt."} for name in required]


@ON_SQLITE
@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"kind": "offer"},
        {"kind": "order", "fields": {}},
        {"kind": "offer", "fields": []},
        {"kind": "offer", "fields": None},
        {"kind": "offer", "fields": {}, "file": "x"},
    ],
)
def test_what_is_no_inquiry_is_refused(taking: Platform, client: TestClient, body: Any) -> None:
    answer = client.post(PATH, json=body)
    assert answer.status_code == 422
    assert all(error["message"].endswith(".") for error in answer.json()["errors"])
    assert _count(taking) == 0


def test_a_file_is_refused_however_it_comes(taking: Platform, client: TestClient) -> None:
    picture = ("ilm.png", b"\x89PNG", "image/png")
    fields = {"kind": "offer", "fields": '{"branding": true}'}
    assert client.post(PATH, files={"logo": picture}, data=fields).status_code == 422
    assert client.post(PATH, data=fields).status_code == 422
    assert client.post(PATH, content=b"\xff\xfe", headers={"Content-Type": "application/json"}).status_code == 422
    assert client.post(PATH, content=b"x" * (2 << 20), headers={"Content-Type": "application/json"}).status_code == 413
    assert _count(taking) == 0


def test_who_is_no_system_administrator_reads_and_deletes_nothing(
    taking: Platform, client: TestClient, firm: Firm, world: World
) -> None:
    inquiry = _send(client, **CONTACT).json()["id"]
    manager = world.user(world.operator_id, "büro", "companyAdmin")
    for person in (firm.anna, firm.boss, manager):
        assert person.get(PATH).status_code == 403
        assert person.delete(f"{PATH}/{inquiry}").status_code == 403
    assert client.get(PATH).status_code == 401
    assert client.delete(f"{PATH}/{inquiry}").status_code == 401
    assert _count(taking) == 1


@pytest.mark.parametrize(
    ("query", "status"), [("?limit=0", 422), ("?limit=501", 422), ("?limit=x", 422), ("?before=nonsense", 422)]
)
def test_a_malformed_question_is_refused(world: World, query: str, status: int) -> None:
    assert world.founder.get(PATH + query).status_code == status


def test_an_offer_is_kept_as_it_was_given_with_the_defaults(
    taking: Platform, client: TestClient, world: World, clock: SettableClock
) -> None:
    answer = _send(client, "offer")
    assert answer.status_code == 201, answer.text
    row = answer.json()
    assert row == {"id": row["id"], "kind": "offer", "createdAt": "2026-11-20T08:00:00.000Z", "fields": DEFAULTS}
    offer = {
        "anzahl": 1000,
        "version": "quickfix",
        "branding": True,
        "kundenname": " Ilm & Söhne ",
        "logo": "Logo 2026.SVG",
        "support": "premium",
        "hosting": "local",
        "name": "Ina",
        "email": " Ina@ILM.example ",
        "nachricht": "Bitte\nbald",
    }
    assert _send(client, "offer", **offer).json()["fields"] == offer
    left_out = {"kundenname": "", "logo": "", "email": "", "name": None}
    given_fields = {name: value for name, value in left_out.items() if value is not None}
    assert _send(client, "offer", **left_out).json()["fields"] == DEFAULTS | given_fields
    assert [row["fields"] for row in world.founder.get(PATH).json()] == [DEFAULTS | given_fields, offer, DEFAULTS]


@pytest.mark.parametrize("word", ["nachricht", "message"])
def test_a_letter_is_kept_by_the_names_it_came_by(
    taking: Platform, client: TestClient, world: World, word: str
) -> None:
    fields = {"name": "Ina Ilm", "email": "ina@ilm.example", word: CONTACT["nachricht"]}
    answer = _send(client, **fields)
    assert (answer.status_code, answer.json()["fields"]) == (201, fields)
    (row,) = world.admin().get(PATH).json()
    assert row == answer.json()


@ON_BOTH
def test_a_long_list_is_read_page_by_page_newest_first(taking: Platform, client: TestClient, world: World) -> None:
    sent = [_send(client, "offer", anzahl=count).json()["id"] for count in range(1, 6)]
    id_pages = [[row["id"] for row in page] for page in pages(world.founder, f"{PATH}?limit=2")]
    assert id_pages == [sent[:2:-1], sent[2:0:-1], sent[:1]]
    assert [row["id"] for row in world.founder.get(f"{PATH}?before={sent[3]}").json()] == sent[2::-1]
    world.founder.delete(f"{PATH}/{sent[3]}")
    answer = world.founder.get(f"{PATH}?before={sent[3]}")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "before")


@ON_BOTH
def test_a_deleted_one_is_gone_and_the_log_knows_its_id_alone(
    taking: Platform, client: TestClient, world: World
) -> None:
    inquiry = _send(client, **CONTACT).json()["id"]
    assert world.founder.delete(f"{PATH}/{UNKNOWN}").status_code == 404
    assert world.founder.delete(f"{PATH}/nonsense").status_code == 404
    assert world.founder.delete(f"{PATH}/{inquiry}").status_code == 204
    assert world.founder.delete(f"{PATH}/{inquiry}").status_code == 404
    assert world.founder.get(PATH).json() == []
    with taking.database.read(SYSTEM) as tx:
        (entry,) = tx.scalars(select(AuditEntry).where(AuditEntry.action == "inquiry.deleted"))
        assert (entry.company_id, entry.actor, entry.subject) == (world.operator_id, world.founder.id, inquiry)
        assert (entry.before, entry.after) == (None, None)


def test_without_a_mail_server_it_is_kept_and_nothing_is_planned(taking: Platform, client: TestClient) -> None:
    assert _send(client, **CONTACT).status_code == 201
    assert (_count(taking), _planned(taking)) == (1, [])


def test_a_letter_is_mailed_to_the_operator_and_answered_to_its_writer(
    taking: Platform, mailbox: Mailbox, client: TestClient, clock: SettableClock
) -> None:
    assert _send(client, **CONTACT | {"email": " Ina@ILM.example"}).status_code == 201
    later(taking, clock, seconds=0)
    ((recipient, mail),) = mailbox.mails
    assert recipient == [TO]
    assert mail["Subject"] == "Anfrage: Nachricht von Ina Ilm"
    assert mail["Reply-To"] == "Ina@ILM.example"
    assert mail["From"] == "Stempelwerk <stempelwerk@example.org>"
    for form in ("plain", "html"):
        text = text_of(mail, form)
        assert "Name: Ina Ilm" in text
        assert "was kostet das?" in text
    assert _planned(taking) == []


def test_an_offer_is_mailed_in_german_words(
    taking: Platform, mailbox: Mailbox, client: TestClient, clock: SettableClock
) -> None:
    _send(client, "offer", anzahl=3, branding=True, kundenname="<b>Ilm</b>", support="premium")
    _send(client, "offer")
    later(taking, clock, seconds=0)
    mails = {mail["Subject"]: mail for _, mail in mailbox.mails}
    assert set(mails) == {"Anfrage: Angebot über 3 Uhren", "Anfrage: Angebot über 1 Uhr"}
    mail = mails["Anfrage: Angebot über 3 Uhren"]
    assert mail["Reply-To"] is None
    lines = ["Anzahl: 3", "Ausführung: Wandmontage", "Branding: ja", "Kundenname: <b>Ilm</b>", "Support: Premium"]
    assert "\n".join([*lines, "Hosting: Cloud"]) in text_of(mail).replace("\r\n", "\n")
    assert "Eine Adresse für die Antwort fehlt." in text_of(mail)
    assert "&lt;b&gt;Ilm&lt;/b&gt;" in text_of(mail, "html")


@pytest.mark.parametrize("name", ["Ina  Ilm Bcc: b@x.example", "=?utf-8?q?Ina=0ABcc:_b@x.example?=", "İ" * 200])
def test_no_name_adds_a_header(
    taking: Platform, mailbox: Mailbox, client: TestClient, clock: SettableClock, name: str
) -> None:
    assert _send(client, **CONTACT | {"name": name}).status_code == 201
    later(taking, clock, seconds=0)
    ((recipient, mail),) = mailbox.mails
    assert recipient == [TO]
    assert mail["Bcc"] is None
    assert mail["Reply-To"] == "ina@ilm.example"


def test_what_the_mail_server_refuses_is_mailed_later(
    taking: Platform, mailbox: Mailbox, client: TestClient, clock: SettableClock
) -> None:
    mailbox.refusal = "451 later"
    _send(client, **CONTACT)
    later(taking, clock, seconds=0)
    assert (mailbox.mails, _planned(taking)) == ([], [service.MAIL])
    mailbox.refusal = None
    later(taking, clock, hours=1)
    assert (len(mailbox.mails), _planned(taking)) == (1, [])


def test_what_was_deleted_or_is_to_reach_nobody_any_more_is_not_mailed(
    taking: Platform, mailbox: Mailbox, client: TestClient, world: World, clock: SettableClock
) -> None:
    mailbox.refusal = "451 later"
    inquiry = _send(client, **CONTACT).json()["id"]
    later(taking, clock, seconds=0)
    world.founder.delete(f"{PATH}/{inquiry}")
    _send(client, **CONTACT)
    later(taking, clock, seconds=0)
    mailbox.refusal = None
    taking.settings = taking.settings.model_copy(update={"inquiry_email": None})
    later(taking, clock, hours=1)
    assert (mailbox.mails, _planned(taking)) == ([], [])


def test_an_address_sends_ten_in_a_minute(platform: Platform, client: TestClient) -> None:
    platform.settings = platform.settings.model_copy(update={"inquiry_email": TO})
    answers = [_send(client, "offer") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [201] * 10 + [429]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 120
    assert client.get("/api/site").status_code == 200


def test_all_together_send_a_thousand_in_24_hours(
    taking: Platform, client: TestClient, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert service.MOST_A_DAY == 1000
    monkeypatch.setattr(service, "MOST_A_DAY", 3)
    for _ in range(3):
        assert _send(client, "offer").status_code == 201
        clock.advance(hours=1)
    full = _send(client, "offer")
    assert (full.status_code, full.json()["code"]) == (429, "inquiries_full")
    assert full.headers["Retry-After"] == str(21 * 3600 + 1)
    clock.advance(hours=21, milliseconds=-1)
    assert _send(client, "offer").status_code == 429
    clock.advance(milliseconds=1)
    assert _send(client, "offer").status_code == 201
    assert _send(client, "offer").status_code == 429


def test_of_two_at_once_one_finds_the_last_room(
    taking: Platform, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST_A_DAY", 2)
    assert _send(client, "offer").status_code == 201
    answers = all_at_once(taking, *[lambda: _send(client, "offer")] * 3)
    assert sorted(answer.status_code for answer in answers) == [201, 429, 429]
    assert _count(taking) == 2


@pytest.mark.parametrize(
    ("sent", "kept_at", "gone_at"),
    [
        ("2026-05-20T08:00", "2026-11-20T07:59", "2026-11-20T08:00"),
        ("2026-08-31T08:00", "2027-02-28T09:00", "2027-03-01T00:00"),
    ],
)
def test_after_six_months_it_is_forgotten(
    taking: Platform, client: TestClient, clock: SettableClock, sent: str, kept_at: str, gone_at: str
) -> None:
    job = next(job for job in JOBS if job.name == "purge_inquiries")
    clock.set(_instant(sent))
    _send(client, **CONTACT)
    clock.set(_instant(kept_at))
    jobs.run_once(taking, job)
    assert _count(taking) == 1
    clock.set(_instant(gone_at))
    jobs.run_once(taking, job)
    assert _count(taking) == 0


def test_a_key_of_nobody_makes_two(taking: Platform, client: TestClient) -> None:
    for _ in range(2):
        body = {"kind": "contact", "fields": CONTACT}
        assert client.post(PATH, json=body, headers={"Idempotency-Key": "k"}).status_code == 201
    assert _count(taking) == 2
