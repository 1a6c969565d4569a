"""Erasing a person who has left removes their free text and notes at once; the days and the employer's records stay."""

from datetime import datetime
from typing import Any

from sqlalchemy import select
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files.tables import StoredFile
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.facts.tables import Absence, VacationRequest
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest

from cloud.tests.databases import ON_BOTH
from cloud.tests.office.people import worked
from cloud.tests.planning.plain_files import jpeg
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody

pytestmark = ON_BOTH

WORD = "Zwetschgenkuchen"
BOOKED = "Nachtrag Inventur"


class Speaker:
    """Makes calls as a page does, with a key for each."""

    def __init__(self, person: Somebody) -> None:
        self._somebody, self._count = person, 0

    def __call__(self, path: str, method: str = "POST", **extra: Any) -> Any:
        self._count += 1
        headers = {"Idempotency-Key": f"{self._somebody.username}-{self._count}"}
        answer = self._somebody.request(method, path, headers=headers, **extra)
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json() if answer.content else None


def _say_everything(firm: Firm, person: Somebody) -> None:
    """Puts the word into every text of absences, leave, corrections and reviews that a call takes."""
    speaker, boss = Speaker(person), Speaker(firm.boss)
    word = {"comment": WORD}
    policy = {"mode": "uniform", "uniformDays": 30}
    boss(f"/api/companies/{firm.id}/vacation-policy", "PUT", json=policy)

    sick = speaker("/api/absences", json={"startDate": "2026-11-19", "endDate": "2026-11-20"})
    speaker(f"/api/absences/{sick[0]['id']}/message", json={"message": WORD})
    speaker(f"/api/absences/{sick[0]['id']}/upload-sick-note", files={"file": (f"{WORD}.jpg", jpeg())})
    boss(f"/api/absences/{sick[0]['id']}/excuse", json=word)
    boss(f"/api/absences/{sick[0]['id']}/reopen", json=word)
    boss(f"/api/absences/{sick[0]['id']}/decline", json=word)
    boss(f"/api/absences/{sick[1]['id']}/cancel", json=word)
    special = {"kind": "special", "userId": person.id, "credited": True}
    boss("/api/absences", json=special | {"startDate": "2026-11-16", "endDate": "2026-11-16", "reason": WORD})
    boss("/api/absences", json=special | {"startDate": "2026-11-17", "endDate": "2026-11-17", "reason": "Kind krank"})

    leave = {"kind": "vacation", "reason": WORD}
    first = speaker("/api/vacation-requests", json=leave | {"startDate": "2026-12-07", "endDate": "2026-12-08"})
    boss(f"/api/vacation-requests/{first['id']}/decline", json=word)
    second = speaker("/api/vacation-requests", json=leave | {"startDate": "2026-12-14", "endDate": "2026-12-15"})
    boss(f"/api/vacation-requests/{second['id']}/approve", json=word)
    speaker(f"/api/vacation-requests/{second['id']}/cancel-request", json={"reason": WORD})
    boss(f"/api/vacation-requests/{second['id']}/keep", json=word)
    speaker(f"/api/vacation-requests/{second['id']}/cancel-request", json={"reason": WORD})

    times = {"newStart": "08:00", "newEnd": "12:00", "reason": WORD}
    correction = speaker("/api/time-corrections", json=times | {"date": "2026-11-12"})
    boss(f"/api/time-corrections/{correction['id']}/approve", json=word)
    correction = speaker("/api/time-corrections", json=times | {"date": "2026-11-13"})
    boss(f"/api/time-corrections/{correction['id']}/decline", json=word)
    boss("/api/time-corrections", json=times | {"date": "2026-11-11", "userId": person.id})
    boss(f"/api/users/{person.id}/bookings", json={"date": "2026-11-10", "minutes": 30, "reason": BOOKED})


def _holding(platform: Platform, word: str) -> set[str]:
    """Returns each `table.column` that contains the word."""
    tables = set()
    with platform.database.read(SYSTEM) as tx:
        for table in metadata().sorted_tables:
            for row in tx.execute(select(table)).mappings():
                for column in table.columns:
                    value = row[column.name]
                    text = value.decode("utf-8", "ignore") if isinstance(value, bytes) else str(value)
                    if word in text:
                        tables.add(f"{table.name}.{column.name}")
    return tables


def _leave_and_erase(firm: Firm, person: Somebody, instant: datetime) -> dict[str, Any]:
    with firm.world.platform.database.write(SYSTEM) as tx:
        tx.get_one(User, (person.company_id, person.id)).leaves_at = instant
    answer = firm.boss.post(f"/api/users/{person.id}/erasure", json={"comment": "Auf Wunsch."})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def _days(platform: Platform, person: Somebody) -> list[tuple[Any, ...]]:
    with platform.database.read(SYSTEM) as tx:
        query = select(Absence.date, Absence.kind, Absence.status, Absence.credited, Absence.noted_at)
        return [tuple(row) for row in tx.execute(query.where(Absence.user_id == person.id).order_by(Absence.id))]


def test_nobody_keeps_a_word_or_a_note_of_who_was_erased(firm: Firm, clock: SettableClock) -> None:
    platform, anna = firm.world.platform, firm.anna
    _say_everything(firm, anna)
    days = _days(platform, anna)
    assert {"absences.user_message", "absences.comment", "absences.reason", "messages.body"} <= _holding(platform, WORD)
    erasure = _leave_and_erase(firm, anna, clock.now())
    assert _holding(platform, WORD) == set()
    with platform.database.read(SYSTEM) as tx:
        assert tx.scalars(select(StoredFile)).all() == []
        assert tx.scalars(select(Absence.reason).where(Absence.reason.is_not(None))).all() == ["Kind krank"]
        assert len(tx.scalars(select(VacationRequest)).all()) == 2
        assert len(tx.scalars(select(CorrectionRequest)).all()) == 3
    assert _days(platform, anna) == days
    assert "bookings.reason" in _holding(platform, BOOKED), "why an account was booked is the employer's record"
    assert {"Eigene Worte und Nachweise"} <= {row["what"] for row in erasure["erased"]}


def test_an_exported_month_says_the_same_without_the_words(firm: Firm, clock: SettableClock) -> None:
    _say_everything(firm, firm.anna)
    for form in ("xlsx", "csv"):
        assert firm.boss.get(f"/api/companies/{firm.id}/export?month=2026-11&format={form}").status_code == 200
    clock.advance(minutes=1)
    _leave_and_erase(firm, firm.anna, clock.now())
    rows = firm.boss.get(f"/api/companies/{firm.id}/exports").json()
    assert [(row["format"], row["changed"]) for row in rows] == [("csv", False), ("xlsx", False)]


def test_words_about_colleagues_stay(firm: Firm, clock: SettableClock) -> None:
    platform = firm.world.platform
    _say_everything(firm, firm.ben)
    initial = _holding(platform, WORD)
    worked(firm.anna, "2026-11-18", "06:00", "14:00")
    _leave_and_erase(firm, firm.anna, clock.now())
    assert _holding(platform, WORD) == initial
    with platform.database.read(SYSTEM) as tx:
        assert len(tx.scalars(select(StoredFile)).all()) == 1
