"""Notes for a day: refused, written, read by the company alone, deleted once, gone after two years."""

from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.site_notes.tables import DayNote

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.site_notes_calls import NOTE, noted
from cloud.tests.room import logged
from cloud.tests.world import Firm, Somebody, World


def _path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/day-notes"


def _write(firm: Firm, by: Somebody | None = None, **values: object) -> Any:
    return (by or firm.boss).post(_path(firm), json=NOTE | values)


def _notes(firm: Firm, query: str = "?month=2026-11") -> Any:
    answer = firm.anna.get(_path(firm) + query)
    assert answer.status_code == 200, answer.text
    return answer.json()


# -- what is refused


@ON_SQLITE
@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"day": "2026-11-31"}, "day"),
        ({"day": None}, "day"),
        ({"text": "  "}, "text"),
        ({"text": "\u200b\u2060"}, "text"),
        ({"text": "x" * 201}, "text"),
        ({"text": 12}, "text"),
    ],
)
def test_a_malformed_note_is_refused(firm: Firm, values: dict[str, Any], field: str) -> None:
    answer = _write(firm, **values)
    assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (422, [field])
    assert _notes(firm) == []


@pytest.mark.parametrize(("refused", "accepted"), [("2025-11-18", "2025-11-19"), ("2027-11-22", "2027-11-21")])
def test_a_day_more_than_a_year_away_is_refused(firm: Firm, refused: str, accepted: str) -> None:
    answer = _write(firm, day=refused)
    sentence = "Der Tag liegt mehr als ein Jahr zurück oder voraus."
    assert (answer.status_code, answer.json()["errors"]) == (422, [{"field": "day", "message": sentence}])
    assert _write(firm, day=accepted).status_code == 201


@ON_SQLITE
@pytest.mark.parametrize("month", ["2026-13", "November", "", "2026-11-01"])
def test_what_is_no_month_is_refused(firm: Firm, month: str) -> None:
    answer = firm.anna.get(_path(firm), params={"month": month})
    errors = [{"field": "month", "message": "Das ist kein Monat (JJJJ-MM)."}]
    assert (answer.status_code, answer.json()["errors"]) == (422, errors)


def test_a_day_has_twenty_notes_at_most(firm: Firm) -> None:
    first, *_ = [noted(firm.boss) for _ in range(20)]
    answer = _write(firm)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_notes")
    assert answer.json()["detail"] == "Dieser Tag hat schon 20 Notizen. Bitte lösche erst eine."
    assert _write(firm, day="2026-11-28").status_code == 201
    assert firm.boss.delete(f"/api/day-notes/{first}").status_code == 204
    assert _write(firm).status_code == 201


def test_another_company_reads_writes_and_deletes_none(firm: Firm, world: World) -> None:
    elsewhere, note_id = world.firm("Nachbarin"), noted(firm.boss)
    assert elsewhere.anna.get(_path(firm)).status_code == 404
    assert _write(firm, elsewhere.boss).status_code == 404
    assert elsewhere.boss.delete(f"/api/day-notes/{note_id}").status_code == 404
    assert ([note["id"] for note in _notes(firm)], _notes(elsewhere)) == ([note_id], [])
    assert logged(world, firm.id, "day_note.") == []


def test_an_employee_neither_writes_nor_deletes(firm: Firm) -> None:
    note_id = noted(firm.boss)
    assert _write(firm, firm.anna).status_code == 403
    assert firm.anna.delete(f"/api/day-notes/{note_id}").status_code == 403
    assert [note["id"] for note in _notes(firm)] == [note_id]


# -- what is written, read and deleted


def test_a_note_is_read_by_everybody_in_its_month(firm: Firm) -> None:
    written = _write(firm, text=f" {NOTE['text']}\n").json()
    assert written == NOTE | {"id": written["id"], "writtenAt": "2026-11-20T08:00:00.000Z"}
    assert _notes(firm) == _notes(firm, "") == firm.boss.get(_path(firm)).json() == [written]
    assert _notes(firm, "?month=2026-10") == []


def test_a_month_has_its_own_days_in_their_order(firm: Firm) -> None:
    for day in ("2026-11-30", "2026-10-31", "2026-11-01", "2026-12-01", "2026-11-30"):
        noted(firm.boss, day=day)
    assert [note["day"] for note in _notes(firm)] == ["2026-11-01", "2026-11-30", "2026-11-30"]


def test_the_log_says_what_was_written_and_deleted(firm: Firm) -> None:
    note_id = _write(firm).json()["id"]
    assert firm.boss.delete(f"/api/day-notes/{note_id}").status_code == 204
    assert _notes(firm) == []
    deleted, written = firm.boss.get(f"/api/companies/{firm.id}/audit", params={"action": "day_note."}).json()
    assert (written["action"], written["before"], written["after"]) == ("day_note.written", None, NOTE)
    assert (deleted["action"], deleted["before"], deleted["after"]) == ("day_note.deleted", NOTE, None)


# -- two at once


@ON_BOTH
def test_of_two_written_at_once_beside_nineteen_one_is_refused(firm: Firm, platform: Platform) -> None:
    for _ in range(19):
        noted(firm.boss)
    answers = all_at_once(platform, lambda: _write(firm), lambda: _write(firm))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert len(_notes(firm)) == 20


@ON_BOTH
def test_of_two_who_delete_at_once_one_finds_nothing(firm: Firm, world: World) -> None:
    path = f"/api/day-notes/{noted(firm.boss)}"
    answers = all_at_once(world.platform, lambda: firm.boss.delete(path), lambda: firm.boss.delete(path))
    assert sorted(answer.status_code for answer in answers) == [204, 404]
    assert logged(world, firm.id, "day_note.") == ["day_note.deleted"]


# -- what goes


def test_a_note_goes_two_years_after_its_day(firm: Firm, platform: Platform) -> None:
    noted(firm.boss, day="2024-11-17")
    stays = noted(firm.boss, day="2024-11-18")
    jobs.run_once(platform, next(job for job in JOBS if job.name == "purge_day_notes"))
    with platform.database.read(SYSTEM) as tx:
        assert list(tx.scalars(select(DayNote.id))) == [stays]
