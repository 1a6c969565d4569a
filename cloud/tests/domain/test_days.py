"""Sums over the days of a person equal the sums of single days."""

from collections.abc import Mapping
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.account import Terms
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.days import AbsentDay, LeaveDay, Off, PersonDays
from stempelwerk_cloud.domain.targets import WeeklyTargets

FIRST = date(2026, 1, 1)
DAYS = st.integers(0, 60).map(lambda after: FIRST + timedelta(days=after))
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
LEAVE = st.dictionaries(
    DAYS,
    st.lists(
        st.builds(
            LeaveDay,
            st.sampled_from(["vacation", "wish"]),
            st.sampled_from(["pending", "approved"]),
            st.integers(1, 2),
        ),
        max_size=2,
    ),
)
WORKDAYS = st.lists(
    st.tuples(DAYS, st.frozensets(st.integers(0, 6), min_size=1)), max_size=3, unique_by=lambda one: one[0]
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
)


@given(PEOPLE, DAYS, DAYS)
def test_what_leave_could_take_is_what_each_day_says(person: PersonDays, one: date, other: date) -> None:
    first, last = min(one, other), max(one, other)
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
