"""The joinery's months hold the usual cases of payroll, on any day on which the demo is made."""

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stempelwerk_cloud.domain import holidays
from stempelwerk_cloud.domain.calendar import months_after
from stempelwerk_edge.tap.tags import from_reader
from stempelwerk_tools.demo import plans, story
from stempelwerk_tools.demo.people import EMPLOYEE, FREE_TODAY, PEOPLE, ZONE, Pattern

BERLIN = ZoneInfo(ZONE)
NOVEMBER = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
DAYS = st.integers(0, 9 * 365 * 24 * 60).map(lambda minutes: NOVEMBER + timedelta(minutes=minutes))
NIGHT_TAGS = {person.tag for person in PEOPLE if person.pattern is Pattern.NIGHT}


def test_twelve_people_with_readable_tags_of_their_own() -> None:
    assert len(PEOPLE) == 12
    assert len({person.tag for person in PEOPLE}) == 12
    for person in PEOPLE:
        assert from_reader(bytes.fromhex(person.tag)) == person.tag
    assert [person.role for person in PEOPLE].count("companyAdmin") == 1


@given(DAYS)
@settings(max_examples=25)
def test_the_history_is_three_months_long_ends_now_and_never_lies_in_the_future(now: datetime) -> None:
    taps = story.taps(now)
    assert [tap.tapped_at for tap in taps] == sorted(tap.tapped_at for tap in taps)
    assert taps[-1].tapped_at <= now
    assert taps[0].tapped_at > story.start_of_history(now)
    assert timedelta(days=88) < now - datetime.combine(story.first_day(now), time(0), BERLIN) < timedelta(days=125)
    assert {tap.tag for tap in taps} == {person.tag for person in PEOPLE}


@given(DAYS)
@settings(max_examples=25)
def test_the_night_shift_works_through_the_change_of_clocks(now: datetime) -> None:
    change = story.last_clock_change(now)
    midnight = datetime.combine(change, time(0), BERLIN)
    assert midnight.utcoffset() != datetime.combine(change + timedelta(days=1), time(0), BERLIN).utcoffset()
    for tag in NIGHT_TAGS:
        person_taps = [tap for tap in story.taps(now) if tap.tag == tag]
        taps_before = [tap for tap in person_taps if midnight - timedelta(hours=3) < tap.tapped_at < midnight]
        taps_after = [
            tap for tap in person_taps if midnight + timedelta(hours=4) < tap.tapped_at < midnight + timedelta(hours=9)
        ]
        assert [tap.displayed for tap in taps_before] == ["in"]
        assert [tap.displayed for tap in taps_after] == ["out"]


@given(DAYS)
@settings(max_examples=25)
def test_people_who_are_free_today_begin_with_coming(now: datetime) -> None:
    today = now.astimezone(BERLIN).date()
    free = {person.tag for person in PEOPLE if person.name in FREE_TODAY}
    assert EMPLOYEE.tag in free
    for tag in free:
        person_taps = [tap for tap in story.taps(now) if tap.tag == tag]
        assert person_taps[-1].tapped_at.astimezone(BERLIN).date() < today
        assert person_taps[-1].displayed == "out"


def test_the_story_has_forgotten_ends_a_forgotten_beginning_and_double_taps() -> None:
    taps = story.taps(NOVEMBER)
    assert any(tap.direction == "out" for tap in taps)
    assert sum(tap.displayed == "double_tap" for tap in taps) >= 10
    open_ended = 0
    for person in PEOPLE:
        effective_taps = [tap for tap in taps if tap.tag == person.tag and tap.displayed != "double_tap"]
        open_ended += sum(a.displayed == b.displayed == "in" for a, b in pairwise(effective_taps))
    assert open_ended >= 3


def test_the_storys_displays_follow_the_pairing_rules() -> None:
    for person in PEOPLE:
        came: datetime | None = None
        last: datetime | None = None
        for tap in (tap for tap in story.taps(NOVEMBER) if tap.tag == person.tag):
            if tap.direction == "auto":
                if last is not None and tap.tapped_at - last <= timedelta(seconds=60):
                    assert tap.displayed == "double_tap"
                    continue
                open_now = came is not None and tap.tapped_at - came <= timedelta(hours=16)
                assert tap.displayed == ("out" if open_now else "in")
            came, last = (tap.tapped_at if tap.displayed == "in" else None), tap.tapped_at


@given(DAYS)
@settings(max_examples=10)
def test_the_roster_is_of_all_months_and_of_no_public_holiday(now: datetime) -> None:
    planned = list(plans.duties(now))
    days = {day for _, day in planned}
    first = story.first_day(now)
    months = {months_after(first, months) for months in range(story.MONTHS + plans.MONTHS_AHEAD + 1)}
    assert {day.replace(day=1) for day in days} == months
    assert not days & {day for day, _ in holidays.holidays_between(plans.REGION, first, max(days))}


@given(DAYS)
@settings(max_examples=10)
def test_for_the_first_duties_that_one_clicks_somebody_is_free(now: datetime) -> None:
    today = now.astimezone(ZoneInfo(ZONE)).date()
    own_duties = sorted(day for person, day in plans.duties(now) if person is EMPLOYEE and day > today)[:10]
    employees = {person.name for person in PEOPLE if person.role == "user"}
    for day in own_duties:
        assert len(employees - {person.name for person, planned in plans.duties(now) if planned == day}) >= 2, day


@pytest.mark.parametrize("now", [NOVEMBER, datetime(2027, 3, 28, 1, 30, tzinfo=UTC)])
def test_the_same_moment_gives_the_same_story(now: datetime) -> None:
    assert story.taps(now) == story.taps(now)
    assert len(Counter(tap.tag for tap in story.taps(now))) == 12
