"""Vacation days: costs, allowances of parts of a year, and how a year's rest is carried."""

from collections.abc import Collection
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.leave import (
    AllowanceOn,
    Balance,
    Carried,
    Counts,
    Lapse,
    LeaveSpan,
    YearFacts,
    allowance_of,
    balances,
    carry,
    cost,
    cost_by_year,
    full_months,
)

FIRST, LAST = date(2024, 1, 1), date(2028, 12, 31)
DAYS = st.dates(FIRST, LAST)


def day(text: str) -> date:
    return date.fromisoformat(text)


def span(start: str, end: str | None = None, **halves: bool) -> LeaveSpan:
    return LeaveSpan(day(start), day(end or start), **halves)


def weekdays(*which: int, holidays: Collection[date] = ()) -> Counts:
    return lambda leave_day: 2 * (leave_day.weekday() in which and leave_day not in holidays)


OFFICE = weekdays(0, 1, 2, 3, 4)


@st.composite
def spans(draw: st.DrawFn) -> LeaveSpan:
    start = draw(DAYS)
    end = start + timedelta(days=draw(st.integers(0, 365)))
    start_half, end_half = draw(st.booleans()), draw(st.booleans())
    return LeaveSpan(start, end, start_half, end_half and not (start == end and start_half))


@st.composite
def calendars(draw: st.DrawFn) -> Counts:
    which = draw(st.sets(st.integers(0, 6), min_size=1))
    return weekdays(*which, holidays=draw(st.sets(DAYS, max_size=30)))


# -- what a request costs

COSTS = [
    (span("2026-11-23", "2026-11-27"), 10),
    (span("2026-11-23", "2026-11-29"), 10),
    (span("2026-11-20", "2026-11-23"), 4),
    (span("2026-11-21", "2026-11-22"), 0),
    (span("2026-11-20"), 2),
    (span("2026-11-20", start_half=True), 1),
    (span("2026-11-20", end_half=True), 1),
    (span("2026-11-20", "2026-11-23", start_half=True, end_half=True), 2),
    (span("2026-11-21", "2026-11-23", start_half=True), 2),
    (span("2026-11-20", "2026-11-22", end_half=True), 2),
    (span("2028-02-28", "2028-03-01"), 6),
]


@pytest.mark.parametrize(("requested", "halves"), COSTS)
def test_a_request_costs_its_workdays_and_a_half_on_a_free_day_changes_nothing(
    requested: LeaveSpan, halves: int
) -> None:
    assert cost(requested, OFFICE) == halves


def test_public_holidays_cost_nothing_and_neither_do_halves_on_them() -> None:
    christmas = weekdays(0, 1, 2, 3, 4, holidays={day("2026-12-25"), day("2026-12-26")})
    assert cost(span("2026-12-24", "2026-12-25", end_half=True), christmas) == 2
    assert cost(span("2026-12-21", "2026-12-31"), christmas) == 16


def test_other_workdays_cost_otherwise() -> None:
    assert cost(span("2026-11-16", "2026-11-22"), weekdays(1, 5)) == 4


def test_a_request_over_new_year_costs_each_year_its_own_days() -> None:
    requested = span("2026-12-30", "2027-01-05", start_half=True, end_half=True)
    assert cost_by_year([requested], OFFICE) == {2026: 3, 2027: 5}


def test_days_with_a_sick_note_return() -> None:
    requested = span("2026-11-23", "2026-11-27", end_half=True)
    assert cost_by_year([requested], OFFICE, {day("2026-11-24"), day("2026-11-27"), day("2026-11-28")}) == {2026: 6}


@given(spans(), calendars())
def test_a_cost_is_never_negative_and_at_most_all_its_days(requested: LeaveSpan, counts: Counts) -> None:
    halves = cost(requested, counts)
    assert (
        0
        <= halves
        <= 2 * ((requested.end - requested.start).days + 1) - requested.start_half * bool(counts(requested.start))
    )
    assert sum(cost_by_year([requested], counts).values()) == halves


@given(spans(), calendars(), st.integers(0, 365), st.booleans())
def test_a_range_costs_what_its_two_parts_cost(
    requested: LeaveSpan, counts: Counts, offset: int, in_half: bool
) -> None:
    """Also cut in the middle of a day; and neither part overlaps the other."""
    cut = min(requested.start + timedelta(days=offset), requested.end)
    if (
        in_half
        and not (cut == requested.start and requested.start_half)
        and not (cut == requested.end and requested.end_half)
    ):
        parts = [
            LeaveSpan(requested.start, cut, requested.start_half, True),
            LeaveSpan(cut, requested.end, True, requested.end_half),
        ]
    elif cut < requested.end:
        next_day = cut + timedelta(days=1)
        parts = [
            LeaveSpan(requested.start, cut, requested.start_half),
            LeaveSpan(next_day, requested.end, False, requested.end_half),
        ]
    else:
        parts = [requested]
    assert sum(cost(part, counts) for part in parts) == cost(requested, counts)
    assert cost_by_year(parts, counts) == cost_by_year([requested], counts)
    assert len(parts) == 1 or not parts[0].overlaps(parts[1])
    assert all(part.overlaps(requested) for part in parts)


@given(spans(), spans())
def test_two_ranges_overlap_where_they_share_half_a_day(first_span: LeaveSpan, second_span: LeaveSpan) -> None:
    def slots(leave_span: LeaveSpan) -> set[tuple[date, bool]]:
        half_days = set()
        for leave_day, _ in leave_span.parts():
            half_days |= (
                {(leave_day, False)} if not (leave_span.start_half and leave_day == leave_span.start) else set()
            )
            half_days |= {(leave_day, True)} if not (leave_span.end_half and leave_day == leave_span.end) else set()
        return half_days

    assert (
        first_span.overlaps(second_span)
        == second_span.overlaps(first_span)
        == bool(slots(first_span) & slots(second_span))
    )
    assert len(slots(first_span)) == sum(halves for _, halves in first_span.parts())


# -- the allowance of a year: days a whole year, entry, exit, days in 2026


def steps(*changes: tuple[str, float]) -> AllowanceOn:
    """`("2026-01-01", 30)`, …: days from a day on."""
    return lambda leave_day: int(
        2 * ([days for valid_from, days in changes if day(valid_from) <= leave_day] or [0])[-1]
    )


ALLOWANCES: list[tuple[AllowanceOn, str | None, str | None, float]] = [
    (steps(("0001-01-01", 30)), None, None, 30),
    (steps(("0001-01-01", 27.5)), None, None, 27.5),
    (steps(("0001-01-01", 27.5)), "2026-01-01", "2026-12-31", 27.5),
    (steps(), None, None, 0),
    (steps(("0001-01-01", 30)), "2026-01-02", None, 28),  # 11 months: 27.5
    (steps(("0001-01-01", 30)), "2026-02-01", None, 28),
    (steps(("0001-01-01", 30)), "2026-07-01", None, 15),
    (steps(("0001-01-01", 30)), "2026-08-01", None, 13),  # 5 months: 12.5 goes up
    (steps(("0001-01-01", 29)), "2026-08-01", None, 12.5),  # 12.08
    (steps(("0001-01-01", 28)), "2026-08-01", None, 12),  # 11.67
    (steps(("0001-01-01", 30)), "2026-12-01", None, 3),  # 2.5
    (steps(("0001-01-01", 30)), "2026-12-02", None, 0),
    (steps(("0001-01-01", 24)), "2026-12-01", None, 2),
    (steps(("0001-01-01", 20)), "2026-12-01", None, 2),  # 1.67
    (steps(("0001-01-01", 17)), "2026-12-01", None, 1.5),  # 1.42
    (steps(("0001-01-01", 30)), "2027-01-01", None, 0),
    (steps(("0001-01-01", 30)), None, "2025-12-31", 0),
    (steps(("0001-01-01", 30)), None, "2026-06-30", 15),
    (steps(("0001-01-01", 30)), None, "2026-06-29", 13),  # 5 months
    (steps(("0001-01-01", 30)), "2020-05-17", "2026-03-15", 5),
    (steps(("0001-01-01", 30)), "2026-03-15", "2026-06-20", 8),  # 15 March to 14 June: 3 months, 7.5
    (steps(("0001-01-01", 30)), "2026-03-15", "2026-06-13", 5),
    (steps(("0001-01-01", 30)), "2026-01-31", "2026-02-28", 3),  # from the 31st to the end of a short month
    (steps(("0001-01-01", 30)), "2026-01-31", "2026-02-27", 0),
    (steps(("0001-01-01", 28), ("2026-07-01", 30)), None, None, 29),
    (steps(("0001-01-01", 8), ("2026-07-01", 20)), None, None, 14),
    (steps(("0001-01-01", 25), ("2026-07-01", 30)), None, None, 28),  # 27.5, rounded once
    (steps(("0001-01-01", 27.5)), None, None, 27.5),
    (steps(("0001-01-01", 28), ("2026-01-01", 30)), None, None, 30),
    (steps(("0001-01-01", 30), ("2026-01-02", 0)), None, None, 3),
    (steps(("2026-11-20", 30)), None, None, 3),
    (steps(("0001-01-01", 48), ("2026-07-01", 30)), "2026-06-16", None, 20),  # 16.5, and the law's four weeks
    (steps(("0001-01-01", 48), ("2026-06-16", 42)), "2026-06-16", None, 21),
    # the law's four weeks: employed for six months, since before July and until after June
    (steps(("0001-01-01", 30)), "2026-06-30", None, 20),
    (steps(("0001-01-01", 30)), "2026-07-01", "2026-12-31", 15),
    (steps(("0001-01-01", 24)), None, "2026-07-01", 20),
    (steps(("0001-01-01", 24)), None, "2026-06-30", 12),
    (steps(("0001-01-01", 30)), "2026-02-15", "2026-08-14", 20),
    (steps(("0001-01-01", 30)), "2026-02-15", "2026-08-13", 13),  # a day less than six months: 12.5
    (steps(("0001-01-01", 10)), "2026-06-01", None, 10),  # never more than the whole year
    (steps(), "2026-06-01", None, 0),
]


@pytest.mark.parametrize(("allowance_on", "entry", "exit_", "days"), ALLOWANCES)
def test_the_allowance_of_a_year(allowance_on: AllowanceOn, entry: str | None, exit_: str | None, days: float) -> None:
    allowance = allowance_of(2026, allowance_on, entry and day(entry), exit_ and day(exit_))  # type: ignore[arg-type]
    assert allowance == 2 * days


BEFORE = [
    (steps(("0001-01-01", 28), ("2026-07-01", 30)), None, None, 28),
    (steps(("0001-01-01", 30), ("2026-01-02", 0)), None, None, 30),
    (steps(("2026-11-20", 30)), None, None, 0),
    (steps(("0001-01-01", 48), ("2026-07-01", 30)), "2026-06-16", None, 24),
    (steps(("0001-01-01", 24)), None, "2026-07-01", 20),
]


@pytest.mark.parametrize(("allowance_on", "entry", "exit_", "days"), BEFORE)
def test_before_the_rules_changed_a_year_is_worth_what_holds_on_its_first_day(
    allowance_on: AllowanceOn, entry: str | None, exit_: str | None, days: float
) -> None:
    first, last = entry and day(entry), exit_ and day(exit_)
    assert allowance_of(2026, allowance_on, first, last, by_month=False) == 2 * days  # type: ignore[arg-type]


def test_before_the_rules_changed_the_law_s_four_weeks_go_by_the_workdays_at_the_entry() -> None:
    """Entered on 12 May with five workdays a week, three from October on: 20 days, not 18."""

    def workdays_on(on: date) -> Collection[int]:
        return range(5) if on < day("2025-10-01") else range(3)

    entry = day("2025-05-12")
    assert allowance_of(2025, lambda _: 60, entry, None, workdays_on, by_month=False) == 2 * 20
    assert allowance_of(2025, lambda _: 60, entry, None, workdays_on) == 2 * 18


def test_leave_that_is_scaled_to_the_workdays_of_a_week_counts_each_month_by_its_own() -> None:
    def scaled(on: date) -> Fraction:
        return Fraction(60 * (5 if on < day("2026-07-01") else 3), 5)

    assert allowance_of(2026, scaled, None, None) == 2 * 24


def test_the_law_s_four_weeks_are_counted_month_by_month_too() -> None:
    """Five workdays until June and two from July: 10 + 4 days, though the policy's part of the year is less."""

    def workdays_on(on: date) -> Collection[int]:
        return range(5) if on < day("2026-07-01") else range(2)

    assert allowance_of(2026, lambda _: 40, day("2026-03-01"), day("2026-08-31"), workdays_on) == 2 * 14


def test_the_first_and_the_last_year_of_the_calendar_have_an_allowance() -> None:
    assert allowance_of(1, lambda _: 60, None, None) == 60
    assert allowance_of(9999, lambda _: 60, date(9999, 12, 2), None) == 0
    assert allowance_of(9999, lambda _: 60, date(9999, 7, 1), None) == 30


@pytest.mark.parametrize(("workdays", "days"), [({0, 1, 2}, 12), ({0, 1, 2, 3, 4, 5}, 24), ({4}, 4)])
def test_the_law_s_four_weeks_have_as_many_days_as_somebody_works(workdays: set[int], days: int) -> None:
    assert allowance_of(2026, lambda _: 60, day("2026-06-30"), None, lambda _: workdays) == max(2 * days, 30)
    assert allowance_of(2026, lambda _: 2 * days + 2, day("2026-06-30"), None, lambda _: workdays) == 2 * days


@given(st.integers(0, 120), st.integers(2024, 2028), DAYS, DAYS, st.integers(1, 7))
def test_who_leaves_later_has_no_less_and_nobody_less_than_the_law_or_more_than_the_year(
    halves: int, year: int, entry: date, leaving: date, workdays: int
) -> None:
    def worth(exit_: date | None) -> int:
        return allowance_of(year, lambda _: halves, entry, exit_, lambda _: range(workdays))

    allowance = worth(leaving)
    assert 0 <= allowance <= worth(leaving + timedelta(days=1)) <= worth(None) <= halves
    # half a year has 181 days at least, and six months 184 at most
    long = (min(leaving, date(year, 12, 31)) - entry).days >= 184
    if entry < date(year, 7, 1) and leaving > date(year, 6, 30) and long:
        assert allowance >= min(halves, 8 * workdays)


@given(DAYS, DAYS)
def test_full_months_follow_each_other_and_end_in_time(day_a: date, day_b: date) -> None:
    first, last = min(day_a, day_b), max(day_a, day_b)
    last = min(last, date(first.year, 12, 31))
    month_starts = full_months(first, last)
    assert month_starts[:1] == [first] * bool(month_starts)
    assert all(27 <= (next_start - month_start).days <= 31 for month_start, next_start in pairwise(month_starts))
    assert len(month_starts) <= (last - first).days // 28 + 1
    longer = full_months(first, min(last + timedelta(days=31), date(first.year, 12, 31)))
    assert longer[: len(month_starts)] == month_starts


@given(st.integers(0, 732), st.integers(2024, 2028), DAYS)
def test_an_entry_later_in_the_year_is_worth_no_more(halves: int, year: int, entry: date) -> None:
    later = entry + timedelta(days=1)
    worth = [allowance_of(year, lambda _: halves, entry_day, None) for entry_day in (None, entry, later)]
    assert worth[0] == halves
    assert worth[2] <= worth[1] <= halves + 1  # rounded to whole days


# -- what is carried and what remains

HALVES = st.integers(-50, 100)
YEARS = st.lists(st.builds(YearFacts, HALVES, HALVES, HALVES, HALVES), min_size=1, max_size=8)


@given(HALVES, YEARS)
def test_each_year_carries_the_rest_of_the_one_before(opening: int, years: list[YearFacts]) -> None:
    yearly = balances(opening, years)
    assert yearly[0].carried == opening
    assert [next_year.carried for next_year in yearly[1:]] == [previous_year.remaining for previous_year in yearly[:-1]]
    total_taken = sum(year_facts.used for year_facts in years) + sum(balance.lapsed for balance in yearly)
    assert (
        yearly[-1].remaining
        == opening + sum(year_facts.allowance + year_facts.booked for year_facts in years) - total_taken
    )


@given(HALVES, YEARS)
def test_what_is_reserved_changes_nothing_that_remains(opening: int, years: list[YearFacts]) -> None:
    free = [year_facts._replace(reserved=0) for year_facts in years]
    assert [balance.remaining for balance in balances(opening, years)] == [
        balance.remaining for balance in balances(opening, free)
    ]


def test_a_balance_by_hand() -> None:
    yearly = balances(6, [YearFacts(60, 2, 40, 4), YearFacts(60, 0, 10, 0)])
    assert yearly == [Balance(60, 6, 2, 40, 4), Balance(60, 28, 0, 10, 0)]
    assert [balance.remaining for balance in yearly] == [28, 78]


LAPSES = st.builds(Lapse, *[st.integers(0, 60)] * 4, st.booleans())
LAPSING = st.builds(YearFacts, HALVES, HALVES, HALVES, HALVES, LAPSES)


@given(st.integers(-10, 60), st.lists(LAPSING, min_size=1, max_size=6))
def test_no_year_lapses_more_than_notices_named_and_was_left(opening: int, years: list[YearFacts]) -> None:
    for facts, balance in zip(years, balances(opening, years), strict=True):
        assert facts.lapse is not None
        assert 0 <= balance.lapsed <= min(facts.lapse.named, max(0, balance.carried))


@given(st.integers(-10, 60), st.lists(LAPSING, min_size=2, max_size=6), st.data())
def test_years_that_go_on_from_what_one_begins_with_are_those_of_all(
    opening: int, years: list[YearFacts], data: st.DataObject
) -> None:
    all_years = list(carry(Carried(opening), years))
    known_count = data.draw(st.integers(1, len(years) - 1))
    assert list(carry(all_years[known_count - 1][1], years[known_count:])) == all_years[known_count:]


@given(st.integers(0, 60), LAPSING)
def test_carried_days_lapse_at_most_by_the_days_on_which_they_could_be_taken(opening: int, facts: YearFacts) -> None:
    assert facts.lapse is not None
    facts = facts._replace(lapse=facts.lapse._replace(parents_time_over=False))
    assert facts.lapse is not None
    (balance,) = balances(opening, [facts])
    assert balance.lapsed <= min(max(0, opening - facts.lapse.taken), facts.lapse.able)


def lapsed_by_year(*lapses: Lapse) -> list[int]:
    """Returns the lapsed days of each of these years; the first one carries 20 half days.

    Each adds 60, and the days taken in time are all that were taken in it.
    """
    yearly = balances(20, [YearFacts(60, 0, lapse.taken, 0, lapse) for lapse in lapses])
    return [balance.lapsed for balance in yearly]


def test_what_illness_kept_back_lapses_a_year_later_though_the_person_is_still_ill() -> None:
    ill = Lapse(named=100, taken=0, able=0)
    assert lapsed_by_year(ill, ill, ill) == [0, 20, 60]


def test_what_illness_kept_back_lapses_only_by_a_notice() -> None:
    ill, silent = Lapse(named=100, taken=0, able=0), Lapse(named=0, taken=0, able=0)
    assert lapsed_by_year(ill, silent, ill) == [0, 0, 80]


def test_what_could_be_taken_lapses_and_the_rest_a_year_later() -> None:
    assert lapsed_by_year(Lapse(20, 0, able=6), Lapse(74, 0, able=40)) == [6, 54]


def test_what_elternzeit_kept_back_lapses_at_the_end_of_the_year_after_the_return() -> None:
    away = Lapse(20, 0, able=0, away_as_parent=60)
    back = Lapse(80, 60, able=60)
    assert lapsed_by_year(away, back, back._replace(parents_time_over=True)) == [0, 0, 20]
    assert lapsed_by_year(away, back, Lapse(0, 60, able=60, parents_time_over=True)) == [0, 0, 0]


def test_days_that_elternzeit_kept_back_are_taken_last() -> None:
    away = Lapse(20, 0, able=0, away_as_parent=60)
    assert lapsed_by_year(away, Lapse(80, 70, able=60, parents_time_over=True)) == [0, 10]


def test_a_whole_year_of_vacation_costs_its_days() -> None:
    year = span("2026-01-01", "2026-12-31")
    assert cost(year, OFFICE) == 2 * sum(day.weekday() < 5 for day in days(year.start, year.end))
