"""Work on a day of illness or vacation is flagged on reading, and with the leave its flag goes."""

import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from stempelwerk_cloud.domain import calendar
from stempelwerk_cloud.domain.account import Terms
from stempelwerk_cloud.domain.days import AbsentDay, Leave, PersonDays
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.domain.targets import WeeklyTargets
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.database.statements import Sql, Statement
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.days.reading import DAYS_OFF
from stempelwerk_cloud.planning.facts.leave import write_ranges
from stempelwerk_cloud.timekeeping.times.review import review

from cloud.tests.counting import statements_of
from cloud.tests.databases import ON_BOTH
from cloud.tests.office.people import away, on_leave
from cloud.tests.planning.illness import decide, reported
from cloud.tests.planning.leaving import allow, approved, create_request
from cloud.tests.world import Firm

DAY = date(2026, 11, 19)
DAYS = timedelta(days=1)
FLAG = "worked_on_leave"


def _leave(kind: Any, status: Any, halves: int, day: date = DAY) -> Leave:
    return Leave(kind, status, LeaveSpan(day, day, start_half=halves == 1))


def _day(leave: list[Leave], absence: AbsentDay | None = None, weekly: int = 2400, day: date = DAY) -> Any:
    terms = Terms(WeeklyTargets(((None, weekly),)))
    absences = {} if absence is None else {day: absence}
    return PersonDays(terms, lambda _: None, leave_spans=leave, absences=absences).on(day)


@pytest.mark.parametrize(
    ("leave", "minutes", "flagged"),
    [
        ([("vacation", "approved", 2)], 1, True),
        ([("vacation", "approved", 2)], 0, True),
        ([("vacation", "approved", 1), ("vacation", "approved", 1)], 1, True),
        ([("vacation", "approved", 1)], 240, False),
        ([("vacation", "approved", 1)], 241, True),
        ([("vacation", "pending", 2)], 480, False),
        ([("wish", "approved", 2)], 480, False),
        ([], 480, False),
    ],
)
def test_beyond_the_half_that_was_not_taken(leave: list[Any], minutes: int, flagged: bool) -> None:
    assert _day([_leave(*values) for values in leave]).worked_on_leave(minutes) is flagged


def test_illness_flags_whatever_was_decided_but_missing_and_free_days_do_not() -> None:
    for status in ("open", "excused"):
        assert _day([], AbsentDay("sick", status, noted=False)).worked_on_leave(0)
    assert not _day([], AbsentDay("missing", "excused", noted=False)).worked_on_leave(480)
    saturday = date(2026, 11, 21)
    assert not _day([_leave("vacation", "approved", 2, saturday)], day=saturday).worked_on_leave(480)
    assert not _day([_leave("vacation", "approved", 1)], weekly=0).worked_on_leave(480)


def _works(firm: Firm, day: str = "2026-11-19", start: str = "08:00", end: str = "12:00") -> None:
    correction_body = {"userId": firm.anna.id, "date": day, "newStart": start, "newEnd": end}
    answer = firm.boss.post("/api/time-corrections", json=correction_body)
    assert answer.status_code == 201, answer.text


def _flags(firm: Firm, reader: Any = None) -> dict[str, list[str]]:
    rows = (reader or firm.anna).get(f"/api/users/{firm.anna.id}/times?from=2026-11-01&to=2026-11-30").json()
    return {row["date"]: row["flags"] for row in rows}


def test_a_sick_day_that_was_worked_reads_so_until_it_is_declined(firm: Firm) -> None:
    _works(firm)
    _works(firm, "2026-11-18")
    assert _flags(firm) == {"2026-11-18": [], "2026-11-19": []}
    (row,) = reported(firm.anna, "2026-11-19")
    assert _flags(firm) == _flags(firm, firm.boss) == {"2026-11-18": [], "2026-11-19": [FLAG]}
    assert decide(firm.boss, row["id"], "decline").status_code == 200
    assert _flags(firm)["2026-11-19"] == []


def test_a_vacation_day_that_was_worked_reads_so_and_a_half_one_may_be_half_worked(firm: Firm) -> None:
    allow(firm)
    hours = {"mode": "uniform", "uniformWeeklyTargetMinutes": 2400}
    assert firm.boss.put(f"/api/companies/{firm.id}/working-hours-config", json=hours).status_code == 200
    for day, end in (("2026-11-17", "12:00"), ("2026-11-18", "12:01"), ("2026-11-19", "12:00")):
        _works(firm, day, end=end)
    create_request(firm.ben, "2026-11-19")
    approved(firm, firm.anna, "2026-11-17", startHalf=True)
    approved(firm, firm.anna, "2026-11-18", endHalf=True)
    approved(firm, firm.anna, "2026-11-19")
    assert _flags(firm) == {"2026-11-17": [], "2026-11-18": [FLAG], "2026-11-19": [FLAG]}


def _reviewed(firm: Firm) -> list[tuple[str, list[str]]]:
    rows = firm.boss.get(f"/api/companies/{firm.id}/review").json()
    return [(row["date"], row["flags"]) for row in rows]


def test_the_review_shows_what_was_worked_on_leave_with_and_without_another_flag(firm: Firm) -> None:
    _works(firm, start="05:00", end="17:00")
    _works(firm, "2026-11-18")
    _works(firm, "2026-11-17")
    reported(firm.anna, "2026-11-19")
    reported(firm.ben, "2026-11-17")
    (row,) = reported(firm.anna, "2026-11-18")
    assert sorted(_reviewed(firm)) == [("2026-11-18", [FLAG]), ("2026-11-19", ["over_10_h", FLAG])]
    assert decide(firm.boss, row["id"], "decline").status_code == 200
    assert _reviewed(firm) == [("2026-11-19", ["over_10_h", FLAG])]


def test_the_review_goes_on_past_leave_that_may_be_half_worked(firm: Firm) -> None:
    allow(firm)
    hours = {"mode": "uniform", "uniformWeeklyTargetMinutes": 2400}
    assert firm.boss.put(f"/api/companies/{firm.id}/working-hours-config", json=hours).status_code == 200
    days = [f"2026-11-{day}" for day in (16, 17, 18, 19)]
    for day in days:
        _works(firm, day)
    approved(firm, firm.anna, days[0])
    for day in days[1:]:
        approved(firm, firm.anna, day, startHalf=True)
    review = f"/api/companies/{firm.id}/review?limit=1"
    (row,) = firm.boss.get(review).json()
    assert (row["date"], row["flags"]) == (days[0], [FLAG])
    assert firm.boss.get(f"{review}&before={row['entryId']}").json() == []


def test_a_day_of_leave_on_which_somebody_fell_ill_stands_once_in_the_review_and_is_counted_once(firm: Firm) -> None:
    allow(firm)
    for day in ("2026-11-17", "2026-11-18", "2026-11-19"):
        _works(firm, day)
    approved(firm, firm.anna, "2026-11-17", "2026-11-19")
    reported(firm.anna, "2026-11-18")
    assert sorted(_reviewed(firm)) == [(f"2026-11-{day}", [FLAG]) for day in (17, 18, 19)]
    assert firm.boss.get(f"/api/companies/{firm.id}/today").json()["waiting"]["review"] == 3


@ON_BOTH
@pytest.mark.parametrize("seed", range(4))
def test_days_off_are_each_day_of_vacation_and_illness(firm: Firm, platform: Platform, seed: int) -> None:
    rng = random.Random(seed)
    first = date(2026, 11, 1)
    expected: dict[str, set[date]] = {firm.anna.id: set(), firm.ben.id: set()}

    for ill_on in rng.sample(range(40), 14):
        person = rng.choice((firm.anna, firm.ben))
        kind, status = rng.choice(("vacation", "vacation", "wish")), rng.choice(("approved", "approved", "pending"))
        first_day = first + DAYS * rng.randrange(40)
        gap = ((first_day + DAYS, first_day + 2 * DAYS),) if rng.random() < 0.3 else ()
        span = LeaveSpan(first_day, first_day + DAYS * rng.randrange(3, 7), left_out=gap)
        on_leave(person, str(span.start), str(span.end), kind, status=status, left_out=write_ranges(gap))
        if (kind, status) == ("vacation", "approved"):
            expected[person.id] |= set(calendar.days(span.start, span.end))
        ill, status = first + DAYS * ill_on, rng.choice(("open", "excused", "rejected"))
        away(person, str(ill), status=status)
        expected[person.id] |= set() if status == "rejected" else {ill}
    off = Statement(f"SELECT w.user_id::text, w.first::text, w.last::text FROM ({DAYS_OFF}) AS w")
    with platform.database.read(SYSTEM) as session:
        spans = Sql(session).rows(off, {"company": firm.id, "since": "2026-01-01"})
    assert {user_id: _days_of(spans, user_id) for user_id in expected} == expected


def _days_of(spans: Sequence[tuple[str, str, str]], user_id: str) -> set[date]:
    own_spans = [
        (date.fromisoformat(first), date.fromisoformat(last)) for owner_id, first, last in spans if owner_id == user_id
    ]
    return {day for span in own_spans for day in calendar.days(*span)}


@ON_BOTH
def test_days_that_leave_leaves_out_are_not_in_the_review(firm: Firm, platform: Platform) -> None:
    held_day, left_out = "2026-11-17", "2026-11-18"
    for day in (held_day, left_out):
        _works(firm, day)
    gap = ((date(2026, 11, 18), date(2026, 11, 18)),)
    on_leave(firm.anna, held_day, "2026-11-19", left_out=write_ranges(gap))
    assert _reviewed(firm) == [(held_day, [FLAG])]
    assert firm.boss.get(f"/api/companies/{firm.id}/today").json()["waiting"]["review"] == 1


@ON_BOTH
def test_the_review_takes_as_many_statements_with_many_days_off_as_with_one(firm: Firm, platform: Platform) -> None:
    _works(firm)
    reported(firm.anna, str(DAY))

    def read() -> list[str]:
        with platform.database.read(of_company(firm.id)) as session:
            answers = ports.WORKED_ON_LEAVE.of(platform), ports.DAYS_OFF.of(platform)
            return [
                str(entry.date) for entry in review.page(session, firm.id, platform.clock.now(), 10, None, *answers)[0]
            ]

    few, rows_before = statements_of(platform, read), read()
    for week in range(20):
        monday = date(2026, 6, 1) + 7 * DAYS * week
        on_leave(firm.anna, str(monday), str(monday + DAYS))
        away(firm.ben, str(monday + 3 * DAYS))
    assert (statements_of(platform, read), read()) == (few, rows_before)
    assert rows_before == [str(DAY)]
