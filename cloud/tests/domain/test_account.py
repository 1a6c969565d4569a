"""The time account, the state of a person now, months and tags: the small pure rules."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import month_bounds, working_days
from stempelwerk_cloud.domain.entries.presence import Presence, presence, week_of
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.domain.tags import TagRefused, normalise
from stempelwerk_cloud.domain.targets import (
    Account,
    Credit,
    WeeklyTargets,
    account,
    credits_of,
    month_target,
    target_minutes,
)

from cloud.tests.domain.days import DEFAULT, at, sheet, taps

FULL = WeeklyTargets(((None, 2400),))
NOVEMBER = (date(2026, 11, 1), date(2026, 11, 30))


# -- month target, credits, balance


def test_the_month_target_is_a_fifth_of_the_week_for_each_monday_to_friday() -> None:
    assert len(working_days(*NOVEMBER)) == 21
    assert month_target(FULL, "2026-11") == 21 * 480


@pytest.mark.parametrize(("weekly", "target"), [(2402, 10088), (2401, 10084), (1, 4), (0, 0)])
def test_the_month_target_is_rounded_once_to_the_nearest_minute(weekly: int, target: int) -> None:
    """21 days of 480.4 are 10 088.4; of 480.2, 10 084.2; of 0.2, 4.2."""
    assert month_target(WeeklyTargets(((None, weekly),)), "2026-11") == target


def test_holidays_stay_target_days() -> None:
    assert month_target(FULL, "2026-12") == 23 * 480


def test_weekly_targets_hold_from_their_day() -> None:
    targets = WeeklyTargets(((None, 2400), (date(2026, 11, 16), 1200)))
    assert month_target(targets, "2026-11") == 10 * 480 + 11 * 240


def test_before_the_first_weekly_target_there_is_none() -> None:
    targets = WeeklyTargets(((date(2026, 11, 16), 2400),))
    assert month_target(targets, "2026-11") == 11 * 480
    assert month_target(targets, "2026-10") == 0


def test_weekly_targets_may_be_told_in_any_order() -> None:
    targets = WeeklyTargets(((date(2026, 11, 16), 1200), (None, 2400)))
    assert (targets.on(date(2026, 11, 15)), targets.on(date(2026, 11, 16))) == (2400, 1200)


def test_without_a_bundesland_holidays_are_no_credit() -> None:
    assert credits_of(FULL, *NOVEMBER, None, {}) == ()


def test_with_a_bundesland_holidays_on_working_days_are_a_credit_of_their_own() -> None:
    christmas = {date(2026, 12, 25), date(2026, 12, 26)}
    found = credits_of(FULL, date(2026, 12, 1), date(2026, 12, 31), christmas, {})
    assert found == (Credit("holiday", 480),)


def test_vacation_and_excused_absence_are_credits() -> None:
    found = credits_of(
        FULL, *NOVEMBER, None, {"vacation": [date(2026, 11, 2), date(2026, 11, 7)], "absence": [date(2026, 11, 3)]}
    )
    assert found == (Credit("vacation", 480), Credit("absence", 480))


def test_a_day_is_credited_once() -> None:
    day = date(2026, 11, 2)
    assert credits_of(FULL, *NOVEMBER, {day}, {"vacation": [day], "absence": [day, day]}) == (Credit("holiday", 480),)


def test_days_outside_the_stretch_are_no_credit() -> None:
    assert credits_of(FULL, *NOVEMBER, {date(2026, 12, 1)}, {"vacation": [date(2026, 10, 30)]}) == ()


def test_the_balance_is_actual_and_credits_less_the_target() -> None:
    assert account(10080, 9000, [Credit("holiday", 480)]) == Account(10080, 9000, (Credit("holiday", 480),), -600)


def test_a_whole_month_of_vacation_is_balanced() -> None:
    for weekly in (2400, 2401, 1999):
        targets = WeeklyTargets(((None, weekly),))
        credited = credits_of(targets, *NOVEMBER, None, {"vacation": working_days(*NOVEMBER)})
        assert account(month_target(targets, "2026-11"), 0, credited).balance == 0


def test_a_week_has_its_weekly_target() -> None:
    for weekly in (2400, 2401, 1999, 3):
        assert target_minutes(WeeklyTargets(((None, weekly),)), date(2026, 11, 2), date(2026, 11, 8)) == weekly


@pytest.mark.parametrize(
    ("month", "last"), [("2026-02", "2026-02-28"), ("2028-02", "2028-02-29"), ("2026-12", "2026-12-31")]
)
def test_a_month_runs_from_its_first_to_its_last_day(month: str, last: str) -> None:
    assert month_bounds(month) == (date.fromisoformat(f"{month}-01"), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "2026-13",
        "2026-00",
        "26-01",
        "2026-1",
        "2026-1a",
        "202a-11",
        "2026",
        "2026-11-01",
        "0000-01",
        "2026-11\n",
        "٢٠٢٦-١١",
    ],
)
def test_what_is_no_month_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"month|year"):
        month_bounds(text)


def test_the_last_month_of_the_calendar_has_an_end() -> None:
    assert month_bounds("9999-12") == (date(9999, 12, 1), date(9999, 12, 31))


# -- the state of a person now


def state(*texts: str, now: str, rules: DatedRules = DEFAULT) -> Presence:
    return presence(sheet(taps(*texts), rules=rules).entries, at(now), rules)


def test_who_has_an_entry_running_is_in_since_its_start() -> None:
    found = state("2026-11-20 08:00", "12:00", "12:30", now="2026-11-20 15:00")
    assert found == Presence("in", at("2026-11-20 12:30"), 240, 240)


def test_who_has_left_is_out_since_then() -> None:
    found = state("2026-11-20 08:00", "12:00", now="2026-11-20 15:00")
    assert found == Presence("out", at("2026-11-20 12:00"), 240, 240)


def test_who_forgot_to_leave_is_out_after_the_longest_shift() -> None:
    assert state("2026-11-19 08:00", "12:00", "13:00", now="2026-11-20 05:01") == Presence(
        "out", at("2026-11-19 12:00"), 0, 240
    )


def test_of_whom_nothing_is_known_is_out_since_never() -> None:
    assert presence([], at("2026-11-20 12:00"), DEFAULT) == Presence("out", None, 0, 0)


def test_todays_minutes_are_net_and_the_weeks_begin_on_monday() -> None:
    found = state(
        "2026-11-15 08:00", "16:00", "2026-11-16 08:00", "16:00", "2026-11-20 08:00", "15:00", now="2026-11-20 18:00"
    )
    assert (found.today_minutes, found.week_minutes) == (390, 450 + 390)


def test_a_night_counts_for_the_day_it_began() -> None:
    found = state("2026-11-19 22:00", "2026-11-20 04:00", now="2026-11-20 08:00")
    assert (found.state, found.today_minutes, found.week_minutes) == ("out", 0, 360)


def test_today_is_the_companys_day() -> None:
    rules = DatedRules([(None, Rules())])
    assert state("2026-11-20 00:10", "01:10", now="2026-11-20 00:30", rules=rules).today_minutes == 60


def test_a_week_runs_from_monday_to_sunday() -> None:
    for day in range(16, 23):
        assert week_of(date(2026, 11, day)) == (date(2026, 11, 16), date(2026, 11, 22))


# -- tags


@given(st.text(max_size=80))
def test_a_tag_that_is_normal_stays_as_it_is(text: str) -> None:
    try:
        tag = normalise(text)
    except TagRefused:
        return
    assert normalise(tag) == tag
    assert normalise(" :" + "-".join(tag) + "\n") == tag


def test_a_refused_tag_says_why() -> None:
    for text, reason in (("", "empty"), ("A1B2C3", "length"), ("=X", "character"), ("x" * 65, "too_long")):
        with pytest.raises(TagRefused, match=reason):
            normalise(text)
