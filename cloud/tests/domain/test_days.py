"""Sums over the days of a person equal the sums of single days."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.account import Terms
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.days import AbsentDay, Leave, LeaveStatus, Off, PersonDay, PersonDays
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.domain.targets import WeeklyTargets

FIRST, YEARS = date(2025, 12, 1), (2025, 2026)
DAYS = st.integers(0, 90).map(lambda offset: FIRST + timedelta(days=offset))
MAYBE = st.none() | DAYS
HOLIDAYS: Mapping[date, Off] = {
    date(2026, 1, 1): Off("Neujahr", 2, legal=True),
    date(2026, 1, 19): Off("Betriebsfeier", 1),
}
ABSENCES = st.dictionaries(
    DAYS,
    st.builds(
        AbsentDay,
        st.sampled_from(["sick", "missing", "special"]),
        st.sampled_from(["open", "excused"]),
        st.booleans(),
        unpaid=st.booleans(),
        as_parent=st.booleans(),
    ),
)


@st.composite
def spans(draw: st.DrawFn) -> LeaveSpan:
    first, last = sorted((draw(DAYS), draw(DAYS)))
    start_half, end_half = draw(st.booleans()), draw(st.booleans())
    span = LeaveSpan(first, last, start_half, end_half and not (start_half and first == last))
    return span.without(draw(st.sets(DAYS, max_size=4)))


STATUSES: tuple[LeaveStatus, ...] = ("pending", "approved")
LEAVE = st.lists(
    st.builds(Leave, st.sampled_from(["vacation", "vacation", "wish"]), st.sampled_from(STATUSES), spans()), max_size=5
)
WORKDAYS = st.lists(
    st.tuples(DAYS, st.frozensets(st.integers(0, 6), min_size=1)), max_size=3, unique_by=lambda dated: dated[0]
)
PEOPLE = st.builds(
    PersonDays,
    st.just(Terms(WeeklyTargets(()))),
    st.just(HOLIDAYS.get),
    MAYBE,
    MAYBE,
    WORKDAYS.map(sorted),
    LEAVE,
    ABSENCES,
    account_from=MAYBE,
)


def vacation_cost(person: PersonDays, day: PersonDay, status: LeaveStatus) -> int:
    """Returns what vacation of this status takes of a day from the account."""
    is_given_back = status == "approved" and day.absence is not None and day.absence.returns
    return 0 if is_given_back or not person.counts(day.date) else min(day.vacation(status), day.costs)


@given(PEOPLE, DAYS, DAYS)
def test_what_leave_could_take_is_what_each_day_says(person: PersonDays, day_a: date, day_b: date) -> None:
    first, last = min(day_a, day_b), max(day_a, day_b)
    possible = as_parent = 0
    for day in map(person.on, days(first, last)):
        if day.absence is None or not day.absence.keeps_from_leave:
            possible += max(0, day.costs - day.vacation("approved"))
        elif day.absence.as_parent:
            as_parent += day.owed_halves
    assert person.leave_possible(first, last) == (possible, as_parent)


@given(PEOPLE, DAYS)
def test_what_a_day_costs_is_what_it_says(person: PersonDays, day: date) -> None:
    assert person.costs(day) == person.on(day).costs


@given(PEOPLE)
def test_the_vacation_of_a_year_is_that_of_its_days(person: PersonDays) -> None:
    expected: dict[LeaveStatus, Counter[int]] = {status: Counter() for status in STATUSES}
    for day in map(person.on, days(date(YEARS[0], 1, 1), date(YEARS[1], 12, 31))):
        for status in STATUSES:
            expected[status][day.date.year] += vacation_cost(person, day, status)
    halves_by_year = person.vacation_by_year()
    assert {status: {year: halves_by_year[status].get(year, 0) for year in YEARS} for status in STATUSES} == expected


@given(PEOPLE, DAYS)
def test_what_was_taken_until_a_day_is_what_its_days_say(person: PersonDays, last_day: date) -> None:
    year = map(person.on, days(last_day.replace(month=1, day=1), last_day))
    assert person.taken_until(last_day) == sum(vacation_cost(person, day, "approved") for day in year)


@given(PEOPLE, DAYS, DAYS)
def test_days_between_two_are_those_of_single_days(person: PersonDays, day_a: date, day_b: date) -> None:
    first, last = min(day_a, day_b), max(day_a, day_b)
    person_days = [person.on(day) for day in days(first, last)]
    assert person.vacation_between(first, last) == {
        day.date: day.vacation("approved")
        for day in person_days
        if day.vacation("approved") and not (day.absence is not None and day.absence.replaces)
    }
    assert set(person.excused_between(first, last)) == {
        day.date
        for day in person_days
        if day.absence is not None and day.absence.status == "excused" and day.absence.credited
    }
    away = set(person.away_between(first, last))
    assert (
        {day.date for day in person_days if day.worked_on_leave(24 * 60)} <= away <= {*person.leave, *person.absences}
    )


@given(spans(), DAYS, DAYS)
def test_runs_and_parts_of_leave_hold_its_days(span: LeaveSpan, day_a: date, day_b: date) -> None:
    assert [(day, run.halves) for run in span.runs() for day in days(run.first, run.last)] == list(span.parts())
    assert all(run.first.year == run.last.year for run in span.runs())
    first, last = min(day_a, day_b), max(day_a, day_b)
    if first <= span.end and span.start <= last:
        assert list(span.within(first, last).parts()) == [part for part in span.parts() if first <= part[0] <= last]
