"""The time account: carried balances, figures up to today, a day's kind of credit; and the laws of its figures."""

import random
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain import account
from stempelwerk_cloud.domain.account import KINDS, BalanceToDate, Credit, Facts, Terms
from stempelwerk_cloud.domain.calendar import days as days_between
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.targets import MONDAY_TO_FRIDAY, WeeklyTargets

FULL = Terms(WeeklyTargets(((None, 2400),)))
NOVEMBER = date(2026, 11, 1)
LATER = date(2030, 1, 1)
FIRST = date(2026, 1, 1)


def month_account(facts: Facts, first: date = NOVEMBER, today: date = LATER) -> account.Month:
    (month,) = account.months(facts, first, first, today)
    return month


# -- what is carried


def test_before_the_month_of_entry_nothing_is_carried() -> None:
    facts = Facts(FULL, date(2026, 11, 16), actual={date(2026, 10, 5): 300}, bookings=[(date(2026, 10, 6), 50)])
    assert [month.carried for month in account.months(facts, date(2026, 9, 1), NOVEMBER, LATER)] == [0, 0, 0]


def test_the_opening_balance_is_carried_into_the_month_of_entry() -> None:
    terms = Terms(WeeklyTargets(((None, 2400),)), entry=date(2026, 11, 16))
    facts = Facts(terms, date(2026, 11, 16), opening_minutes=90)
    october, november, december = account.months(facts, date(2026, 10, 1), date(2026, 12, 1), LATER)
    assert (october.carried, october.target, october.balance) == (0, 0, 0)
    assert (november.carried, november.target, november.balance) == (90, 11 * 480, -11 * 480)
    assert december.carried == 90 - 11 * 480


def test_without_an_entry_date_carrying_begins_with_the_month_of_the_first_entry() -> None:
    facts = Facts(FULL, first_entry=date(2026, 10, 20), actual={date(2026, 10, 20): 480}, opening_minutes=60)
    september, october, november = account.months(facts, date(2026, 9, 1), NOVEMBER, LATER)
    assert (september.carried, october.carried) == (0, 60)
    assert (september.target, september.balance) == (0, 0)
    assert november.carried == 60 + 480 - 22 * 480


def test_without_an_entry_date_and_a_first_entry_there_is_no_account_yet() -> None:
    facts = Facts(FULL, opening_minutes=60, bookings=[(date(2026, 10, 1), 100)], vacation={date(2026, 11, 2): 2})
    months = account.months(facts, date(2020, 1, 1), NOVEMBER, LATER)
    assert {(month.target, month.credits, month.carried) for month in months} == {(0, (), 0)}
    assert [month.first for month in months if month.balance] == [date(2026, 10, 1)], "the month of the booking"
    assert account.balance_to_date(facts, NOVEMBER) == (0, 0)


def test_the_entry_date_goes_before_the_first_entry() -> None:
    facts = Facts(FULL, date(2026, 11, 1), date(2026, 9, 1), actual={date(2026, 9, 1): 480})
    assert month_account(facts).carried == 0


def test_before_an_account_begins_nothing_is_due_credited_booked_or_worked() -> None:
    """Ten years with the company, the first stamp on 20 November: as if there had been nothing before."""
    day_before, begin_day = date(2026, 11, 19), date(2026, 11, 20)
    facts = Facts(
        FULL,
        date(2015, 3, 1),
        day_before,
        90,
        actual={day_before: 300, begin_day: 480},
        free={day_before: 2},
        vacation={day_before: 2},
        absences={day_before: 0},
        bookings=[(day_before, 1000), (begin_day, 7)],
        account_from=begin_day,
    )
    october, november = account.months(facts, date(2026, 10, 1), NOVEMBER, LATER)
    assert (october.target, october.balance, october.carried) == (0, 0, 0)
    assert (november.carried, november.target, november.actual) == (90, 7 * 480, 480)
    assert (november.credits, november.bookings) == ((), 7)
    assert account.balance_to_date(facts, begin_day) == (480, 90 + 7)


def test_a_half_free_day_is_half_and_leave_takes_the_other_half_at_the_most() -> None:
    eve = date(2026, 12, 24)
    facts = Facts(FULL, FIRST)
    assert month_account(replace(facts, free={eve: 1}), eve).credits == (Credit("holiday", 240),)
    for halves in (1, 2):
        month = month_account(replace(facts, free={eve: 1}, vacation={eve: halves}), eve)
        assert month.credits == (Credit("holiday", 240), Credit("vacation", 240))
    assert month_account(replace(facts, free={eve: 2}, vacation={eve: 1}), eve).credits == (Credit("holiday", 480),)
    assert month_account(replace(facts, free={eve: 1}, absences={eve: 100}), eve).credits == (
        Credit("holiday", 240),
        Credit("absence", 140),
    )


# -- to date


def test_the_running_month_is_told_to_date_with_today() -> None:
    facts = Facts(
        FULL,
        date(2026, 11, 1),
        opening_minutes=30,
        actual={date(2026, 11, 2): 500, date(2026, 11, 3): 400, date(2026, 11, 9): 7},
        vacation={date(2026, 11, 4): 2, date(2026, 11, 20): 2},
        bookings=[(date(2026, 11, 4), 11), (date(2026, 11, 5), 1000)],
    )
    month = month_account(facts, today=date(2026, 11, 4))
    assert (month.target, month.target_to_date) == (21 * 480, 3 * 480)
    assert month.balance_to_date == 30 + 500 + 400 + 480 + 11 - 3 * 480


def test_a_month_that_is_over_is_told_whole_and_one_to_come_owes_nothing_yet() -> None:
    facts = Facts(FULL, date(2026, 10, 1))
    october, november, december = account.months(facts, date(2026, 10, 1), date(2026, 12, 1), date(2026, 11, 2))
    assert (october.target_to_date, october.balance_to_date) == (22 * 480, -22 * 480)
    assert (november.target_to_date, november.balance_to_date) == (480, -23 * 480)
    assert (december.target_to_date, december.balance_to_date) == (0, december.carried)


@pytest.mark.parametrize(
    ("today", "due"), [(date(2026, 11, 1), 0), (date(2026, 11, 2), 480), (date(2026, 11, 30), 480)]
)
def test_how_somebody_stands_is_the_running_month_to_date(today: date, due: int) -> None:
    facts = Facts(FULL, date(2026, 10, 1), actual={date(2026, 11, 2): 100})
    assert account.balance_to_date(facts, today) == BalanceToDate(
        due, month_account(facts, today=today).balance_to_date
    )


# -- targets


def test_weekly_targets_and_workdays_hold_from_their_days() -> None:
    terms = Terms(
        WeeklyTargets(((None, 2400), (date(2026, 11, 16), 1200))),
        ((date(2026, 11, 23), frozenset({0, 1})),),
        leaving=date(2026, 11, 24),
    )
    assert month_account(Facts(terms, FIRST)).target == 10 * 480 + 5 * 240 + 2 * 600


def test_a_change_on_the_day_after_leaving_and_the_end_of_the_calendar_are_no_matter() -> None:
    terms = Terms(WeeklyTargets(((None, 2400), (date(2026, 11, 11), 9999))), leaving=date(2026, 11, 10))
    assert month_account(Facts(terms, FIRST)).target == 7 * 480
    assert month_account(
        Facts(Terms(WeeklyTargets(((None, 2400),)), leaving=date.max), FIRST), date(9999, 12, 1), date.max
    ).target


def test_whether_anybody_ever_owes_anything() -> None:
    assert FULL.ever_due
    assert not Terms(WeeklyTargets(())).ever_due
    assert not Terms(WeeklyTargets(((None, 0),))).ever_due


# -- what a day is credited as


def test_a_day_is_a_holiday_before_vacation_and_vacation_before_an_absence() -> None:
    monday, tuesday, wednesday = (date(2026, 11, number) for number in (2, 3, 4))
    facts = Facts(
        FULL,
        FIRST,
        free={monday: 2},
        absences={monday: 0, tuesday: 0, wednesday: 0},
        vacation={monday: 2, tuesday: 2, wednesday: 1},
    )
    credits_by_day = {day.date: day.credits for day in account.days(facts, NOVEMBER, NOVEMBER) if day.credits}
    assert credits_by_day == {
        monday: (Credit("holiday", 480),),
        tuesday: (Credit("vacation", 480),),
        wednesday: (Credit("vacation", 240), Credit("absence", 240)),
    }
    assert month_account(facts).credits == (Credit("holiday", 480), Credit("vacation", 720), Credit("absence", 240))


@pytest.mark.parametrize(("halves", "minutes", "absence"), [(0, 240, 240), (0, 480, 0), (0, 500, 0), (1, 100, 140)])
def test_an_excused_absence_credits_what_vacation_and_work_leave(halves: int, minutes: int, absence: int) -> None:
    day = date(2026, 11, 2)
    facts = Facts(FULL, NOVEMBER, actual={day: minutes}, absences={day: minutes}, vacation={day: halves})
    credits_ = dict(month_account(facts).credits)
    assert credits_.get("absence", 0) == absence
    assert sum(credits_.values()) + min(minutes, 480 - 240 * halves) == 480


def test_half_a_day_of_vacation_is_half_the_target_and_halves_never_exceed_a_day() -> None:
    facts = Facts(FULL, FIRST, vacation={date(2026, 11, 2): 1, date(2026, 11, 3): 3, date(2026, 11, 7): 2})
    assert month_account(facts).credits == (Credit("vacation", 240 + 480),)


@pytest.mark.parametrize(("halves", "minutes", "credit"), [(2, 0, 480), (2, 180, 300), (2, 480, 0), (2, 600, 0)])
def test_a_holiday_that_pays_lost_time_credits_what_work_leaves(halves: int, minutes: int, credit: int) -> None:
    day = date(2026, 11, 2)
    facts = Facts(FULL, NOVEMBER, actual={day: minutes}, free={day: halves})
    assert month_account(facts).credits == (Credit("holiday", 480),)
    assert dict(month_account(replace(facts, lost={day: minutes})).credits).get("holiday", 0) == credit


@pytest.mark.parametrize(("minutes", "credit"), [(0, 240), (240, 240), (300, 180), (480, 0)])
def test_half_a_holiday_credits_its_half_at_most(minutes: int, credit: int) -> None:
    day = date(2026, 11, 2)
    facts = Facts(FULL, NOVEMBER, actual={day: minutes}, free={day: 1}, lost={day: minutes})
    assert dict(month_account(facts).credits).get("holiday", 0) == credit


def test_an_excused_absence_on_a_holiday_that_was_worked_credits_what_both_leave() -> None:
    day = date(2026, 11, 2)
    facts = Facts(FULL, NOVEMBER, actual={day: 300}, free={day: 1}, lost={day: 300}, absences={day: 300})
    assert month_account(facts).credits == (Credit("holiday", 180),)


def test_an_unpaid_day_owes_nothing_and_is_credited_nothing() -> None:
    day = date(2026, 11, 2)
    facts = Facts(Terms(WeeklyTargets(((None, 2400),)), unpaid=[day]), NOVEMBER, free={day: 1}, vacation={day: 2})
    assert (month_account(facts).target, month_account(facts).credits) == (20 * 480, ())
    assert account.balance_to_date(facts, day) == (0, 0)


def test_halves_of_a_leave() -> None:
    first, last = date(2026, 11, 2), date(2026, 11, 4)
    assert list(account.halves_of(first, last).values()) == [2, 2, 2]
    assert list(account.halves_of(first, last, start_half=True, end_half=True).values()) == [1, 2, 1]
    assert account.halves_of(first, first, start_half=True) == {first: 1}
    assert account.halves_of(last, first, start_half=True, end_half=True) == {}


# -- laws

DAYS = st.dates(date(2025, 11, 1), date(2027, 2, 28))
WORKDAYS = st.frozensets(st.integers(0, 6), min_size=1)
AROUND = st.one_of(st.none(), DAYS)


@st.composite
def people(draw: st.DrawFn) -> Facts:
    targets = draw(st.lists(st.tuples(AROUND, st.integers(0, 4000)), max_size=4, unique_by=lambda dated: dated[0]))
    workdays = sorted(draw(st.dictionaries(DAYS, WORKDAYS, max_size=3)).items())
    entry, leaving = draw(AROUND), draw(AROUND)
    worked = draw(st.dictionaries(DAYS, st.integers(0, 700), max_size=30))
    free = draw(st.dictionaries(DAYS, st.integers(1, 2), max_size=20))
    lost = draw(st.frozensets(st.sampled_from(sorted(free)))) if free else ()
    return Facts(
        Terms(WeeklyTargets(tuple(targets)), workdays, entry, leaving, draw(st.frozensets(DAYS, max_size=20))),
        entry,
        min(worked, default=None),
        draw(st.integers(-5000, 5000)),
        worked,
        free,
        {day: worked.get(day, 0) for day in draw(st.frozensets(DAYS, max_size=20))},
        draw(st.dictionaries(DAYS, st.integers(1, 2), max_size=30)),
        draw(st.lists(st.tuples(DAYS, st.integers(-900, 900)), max_size=10)),
        draw(AROUND),
        lost={day: worked.get(day, 0) for day in lost},
    )


@given(people(), DAYS)
def test_what_lies_before_an_account_begins_makes_no_difference(facts: Facts, day: date) -> None:
    bare = replace(
        facts,
        actual={date_used: minutes for date_used, minutes in facts.actual.items() if facts.counts(date_used)},
        free={date_used: halves for date_used, halves in facts.free.items() if facts.counts(date_used)},
        vacation={date_used: halves for date_used, halves in facts.vacation.items() if facts.counts(date_used)},
        absences={date_used: minutes for date_used, minutes in facts.absences.items() if facts.counts(date_used)},
        bookings=[booking for booking in facts.bookings if facts.counts(booking[0])],
    )
    assert month_account(bare, day) == month_account(facts, day)


@given(people(), DAYS)
def test_days_sum_up_to_their_month(facts: Facts, day: date) -> None:
    month = month_account(facts, day)
    days = account.days(facts, day, day)
    assert [day_account.date for day_account in days] == list(days_between(*month_of(day)))
    assert sum(day_account.target for day_account in days) == month.target
    assert sum(day_account.actual for day_account in days) == month.actual
    for kind in KINDS:
        credited = sum(credit.minutes for day_account in days for credit in day_account.credits if credit.kind == kind)
        assert credited == sum(credit.minutes for credit in month.credits if credit.kind == kind)
    assert all(
        day_account.target >= 0 and all(credit.minutes > 0 for credit in day_account.credits) for day_account in days
    )
    assert all(
        {credit.kind for credit in day_account.credits} <= _kinds_of(facts, day_account.date) for day_account in days
    )


def _kinds_of(facts: Facts, day: date) -> set[str]:
    """As what a day may be credited."""
    if facts.free.get(day) == 2:
        return {"holiday"}
    kinds = {"holiday": day in facts.free, "vacation": day in facts.vacation, "absence": day in facts.absences}
    return {kind for kind, is_one in kinds.items() if is_one}


@given(people(), DAYS)
def test_work_and_credits_of_an_absent_day_come_to_its_target_at_the_most_unless_more_was_worked(
    facts: Facts, day: date
) -> None:
    for day_account in account.days(facts, day, day):
        if (
            day_account.date in facts.absences
            and day_account.date not in facts.free
            and day_account.date not in facts.vacation
        ):
            credited = sum(credit.minutes for credit in day_account.credits)
            assert (
                day_account.actual + credited <= max(day_account.target, day_account.actual) + 2
            )  # the target and the credit are rounded


@given(people(), DAYS)
def test_what_is_carried_into_a_month_is_what_the_one_before_ended_with(facts: Facts, today: date) -> None:
    months = account.months(facts, date(2025, 11, 1), date(2027, 3, 1), today)
    begin_month = facts.begins and facts.begins.replace(day=1)
    for previous_month, next_month in pairwise(months):
        if begin_month is None or next_month.first < begin_month:
            assert next_month.carried == 0
        elif next_month.first == begin_month:
            assert next_month.carried == facts.opening_minutes
        else:
            assert next_month.carried == previous_month.carried + previous_month.balance
    assert months == [
        month for month_asked in months for month in account.months(facts, month_asked.first, month_asked.first, today)
    ]


@given(people(), DAYS)
def test_the_day_s_figures_so_far_are_what_stands_to_date(facts: Facts, today: date) -> None:
    month = month_account(facts, today, today)
    so_far = [day for day in account.days(facts, today, today) if day.date <= today]
    assert month.target_to_date == sum(day.target for day in so_far)
    credited = sum(credit.minutes for day in so_far for credit in day.credits)
    booked = sum(minutes for day, minutes in facts.bookings if month.first <= day <= today and facts.counts(day))
    worked = sum(day.actual for day in so_far)
    assert month.balance_to_date == month.carried + worked + credited + booked - month.target_to_date
    assert account.balance_to_date(facts, today).target_today == so_far[-1].target


@given(people(), st.randoms(use_true_random=False))
def test_the_order_in_which_facts_are_told_makes_no_difference(facts: Facts, rng: random.Random) -> None:
    def shuffled(by_day: dict[date, int]) -> dict[date, int]:
        return dict(rng.sample(list(by_day.items()), len(by_day)))

    reordered = replace(
        facts,
        actual=shuffled(dict(facts.actual)),
        vacation=shuffled(dict(facts.vacation)),
        absences=shuffled(dict(facts.absences)),
        bookings=rng.sample(list(facts.bookings), len(facts.bookings)),
    )
    year = (FIRST, date(2026, 12, 1), date(2026, 6, 15))
    assert account.months(reordered, *year) == account.months(facts, *year)
    assert account.days(reordered, *year[:2]) == account.days(facts, *year[:2])


@given(people(), DAYS)
def test_nothing_is_credited_beyond_the_target(facts: Facts, day: date) -> None:
    """A single kind never; all kinds together only by rounding, by at most a minute."""
    month = month_account(facts, day)
    assert all(0 < credit.minutes <= month.target for credit in month.credits)
    assert sum(credit.minutes for credit in month.credits) <= month.target + 1


@given(people(), DAYS)
def test_before_what_is_asked_a_month_may_be_told_in_one_sum(facts: Facts, day: date) -> None:
    first = day.replace(day=1)
    sums: dict[date, int] = {}
    for work_day, minutes in facts.actual.items():
        first_counted = max(work_day.replace(day=1), facts.begins or work_day) if facts.counts(work_day) else work_day
        summed_day = work_day if work_day >= first else first_counted
        sums[summed_day] = sums.get(summed_day, 0) + minutes
    assert month_account(replace(facts, actual=sums), day) == month_account(facts, day)


@given(people(), DAYS, st.integers(0, 70))
def test_targets_by_arithmetic_are_those_day_by_day(facts: Facts, first: date, ahead: int) -> None:
    last = first + timedelta(days=ahead)
    parts = sum(facts.terms.on(day) for day in days_between(first, last))
    assert facts.terms.target_between(first, last) == parts


@given(
    st.lists(st.tuples(AROUND, st.integers(0, 4000)), max_size=4, unique_by=lambda dated: dated[0]),
    st.dictionaries(DAYS, WORKDAYS, max_size=3),
    AROUND,
    AROUND,
    DAYS,
)
def test_a_target_is_the_weekly_one_divided_by_the_workdays(
    targets: list[tuple[date | None, int]],
    workdays: dict[date, frozenset[int]],
    entry: date | None,
    leaving: date | None,
    day: date,
) -> None:
    weekly = WeeklyTargets(tuple(targets))
    terms = Terms(weekly, sorted(workdays.items()), entry, leaving)
    first, last = month_of(day)

    def workdays_on(date_asked: date) -> frozenset[int]:
        valid_from = max((start for start in workdays if start <= date_asked), default=None)
        return MONDAY_TO_FRIDAY if valid_from is None else workdays[valid_from]

    def employed(date_asked: date) -> bool:
        return (entry is None or entry <= date_asked) and (leaving is None or date_asked <= leaving)

    for date_asked in days_between(first, last):
        works = employed(date_asked) and date_asked.weekday() in workdays_on(date_asked)
        assert Fraction(terms.on(date_asked), 840) == (
            Fraction(weekly.on(date_asked), len(workdays_on(date_asked))) if works else 0
        )
