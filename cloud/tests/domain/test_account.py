"""The time account, the state of a person now, months and tags: the small pure rules."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.account import exact, holiday_credit
from stempelwerk_cloud.domain.entries.presence import Presence, presence, week_of
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.domain.tags import TagRefused, normalise

from cloud.tests.domain.days import DEFAULT, instant_of, sheet, taps

# -- month target, credits, balance


# -- the state of a person now


def state(*texts: str, now: str, rules: DatedRules = DEFAULT) -> Presence:
    return presence(sheet(taps(*texts), rules=rules).entries, instant_of(now), rules)


def test_who_has_an_entry_running_is_in_since_its_start() -> None:
    presence_now = state("2026-11-20 08:00", "12:00", "12:30", now="2026-11-20 15:00")
    assert presence_now == Presence("in", instant_of("2026-11-20 12:30"), 240, 240)


def test_who_has_left_is_out_since_then() -> None:
    presence_now = state("2026-11-20 08:00", "12:00", now="2026-11-20 15:00")
    assert presence_now == Presence("out", instant_of("2026-11-20 12:00"), 240, 240)


def test_who_forgot_to_leave_is_out_after_the_longest_shift() -> None:
    assert state("2026-11-19 08:00", "12:00", "13:00", now="2026-11-20 05:01") == Presence(
        "out", instant_of("2026-11-19 12:00"), 0, 240
    )


def test_of_whom_nothing_is_known_is_out_since_never() -> None:
    assert presence([], instant_of("2026-11-20 12:00"), DEFAULT) == Presence("out", None, 0, 0)


def test_todays_minutes_are_net_and_the_weeks_begin_on_monday() -> None:
    presence_now = state(
        "2026-11-15 08:00", "16:00", "2026-11-16 08:00", "16:00", "2026-11-20 08:00", "15:00", now="2026-11-20 18:00"
    )
    assert (presence_now.today_minutes, presence_now.week_minutes) == (390, 450 + 390)


def test_a_night_counts_for_the_day_it_began() -> None:
    presence_now = state("2026-11-19 22:00", "2026-11-20 04:00", now="2026-11-20 08:00")
    assert (presence_now.state, presence_now.today_minutes, presence_now.week_minutes) == ("out", 0, 360)


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


# -- what a holiday by law credits an hourly person


@pytest.mark.parametrize(
    ("halves", "net", "credited"),
    [(2, 0, 480), (2, 180, 300), (2, 480, 0), (2, 600, 0), (1, 0, 240), (1, 200, 240), (1, 300, 180), (1, 480, 0)],
)
def test_a_holiday_credits_what_work_leaves_of_the_target(halves: int, net: int, credited: int) -> None:
    assert holiday_credit(exact(480), halves, exact(net)) == exact(credited)


def test_a_holiday_credits_nothing_on_a_day_without_a_target() -> None:
    assert holiday_credit(0, 2, 0) == 0
    assert holiday_credit(0, 2, exact(240)) == 0
