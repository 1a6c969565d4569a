"""The limits of working time in the clocks' list of people: whose, of what day, when a clock learns of a change."""

from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.working_time_act import ADULT, EXPECTING, UNDER_18, DatedLimits
from stempelwerk_cloud.timekeeping.times.clock_people import limits_member

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_api.test_people_at_midnight import MIDNIGHT, SPREAD, announced, people
from cloud.tests.stamping import ANNA, Site

YOUTH = {"shiftMinutes": 480, "restMinutes": 720, "breaks": [[270, 30], [360, 60]], "night": ["20:00", "06:00"]}
MATERNITY = {"shiftMinutes": 510, "restMinutes": 660, "breaks": [[360, 30], [540, 45]], "night": ["20:00", "06:00"]}


def set_limits(site: Site, user_id: str, word: str, valid_from: str | None = None) -> None:
    body = {"limits": word} | ({} if valid_from is None else {"validFrom": valid_from})
    answer = site.boss.put(f"/api/users/{user_id}/employment", json=body)
    assert answer.is_success, answer.text


def limits_in(answer: dict[str, Any]) -> dict[str, Any]:
    """The member of each person in an answer; None where it is absent."""
    return {person["name"]: person.get("limits") for person in answer["people"]}


def test_a_company_of_adults_sends_no_limits_at_all(site: Site) -> None:
    assert ["limits" in person for person in people(site.device)["people"]] == [False] * 3


@ON_BOTH
def test_a_clock_is_told_a_persons_own_limits_and_hears_of_each_change(site: Site) -> None:
    revision = people(site.device)["revision"]
    for word, member in (("youth", YOUTH), ("maternity", MATERNITY), ("adult", None)):
        set_limits(site, site.firm.anna.id, word)
        assert announced(site) != revision
        answer = people(site.device, revision)
        assert limits_in(answer) == {"anna": member}
        revision = answer["revision"]
        site.clock.advance(minutes=5)


def test_the_list_names_neither_the_age_nor_the_pregnancy(site: Site) -> None:
    set_limits(site, site.firm.anna.id, "youth")
    set_limits(site, site.firm.ben.id, "maternity")
    text = site.device.send("GET", "/api/devices/people").text.casefold()
    assert not any(word in text for word in ("youth", "maternity", "jugend", "mutter"))


def test_a_clock_of_another_company_hears_of_no_limits(site: Site) -> None:
    foreign_clock = site.another_clock(firm=site.world.firm("Nebenan"))
    revision = people(foreign_clock)["revision"]
    set_limits(site, site.firm.anna.id, "youth")
    assert foreign_clock.beat().json()["peopleRevision"] == revision
    assert set(limits_in(people(foreign_clock)).values()) == {None}


@ON_BOTH
def test_limits_that_begin_tomorrow_reach_the_clock_with_the_new_day(site: Site) -> None:
    site.clock.set(MIDNIGHT - timedelta(hours=2))
    set_limits(site, site.firm.anna.id, "maternity", "2026-11-21")
    first_answer = people(site.device)
    assert limits_in(first_answer)["anna"] is None
    site.clock.set(MIDNIGHT + SPREAD)
    assert announced(site) != first_answer["revision"]
    answer = people(site.device, first_answer["revision"])
    assert (answer["reset"], answer["removed"], limits_in(answer)) == (False, [], {"anna": MATERNITY})


def test_limits_that_end_reach_the_clock_with_the_new_day(site: Site) -> None:
    set_limits(site, site.firm.anna.id, "youth")
    set_limits(site, site.firm.anna.id, "adult", "2026-11-21")
    site.clock.set(MIDNIGHT - timedelta(hours=1))
    first_answer = people(site.device)
    assert limits_in(first_answer)["anna"] == YOUTH
    site.clock.set(MIDNIGHT + SPREAD)
    assert limits_in(people(site.device, first_answer["revision"])) == {"anna": None}


def test_a_new_day_names_nobody_whose_limits_go_on(site: Site) -> None:
    set_limits(site, site.firm.anna.id, "youth")
    site.clock.set(MIDNIGHT - timedelta(hours=1))
    first_answer = people(site.device)
    site.clock.set(MIDNIGHT + SPREAD)
    assert people(site.device, first_answer["revision"])["people"] == []


def test_limits_of_a_person_without_a_tag_are_not_told(site: Site) -> None:
    site.clock.set(MIDNIGHT - timedelta(hours=2))
    dora = site.world.user(site.firm.id, "dora")
    set_limits(site, dora.id, "youth", "2026-11-21")
    first_answer = people(site.device)
    site.clock.set(MIDNIGHT + SPREAD)
    answer = people(site.device, first_answer["revision"])
    assert (answer["people"], answer["removed"]) == ([], [])


def test_a_stamp_after_midnight_brings_the_limits_of_the_new_day(site: Site) -> None:
    site.clock.set(MIDNIGHT - timedelta(hours=2))
    set_limits(site, site.firm.anna.id, "youth", "2026-11-21")
    first_answer = people(site.device)
    site.clock.set(MIDNIGHT)
    site.device.deliver(site.device.tap(ANNA, MIDNIGHT))
    site.clock.advance(milliseconds=1)
    assert limits_in(people(site.device, first_answer["revision"]))["anna"] == YOUTH


LIMITS = {"adult": ADULT, "youth": UNDER_18, "maternity": EXPECTING}


def assert_changes_suffice(site: Site, days: list[tuple[str, int]], end: datetime) -> None:
    """Compares a clock that fetches changes with a new one that fetches the whole list."""
    first_answer = people(site.device)
    limits, revision = limits_in(first_answer), first_answer["revision"]
    for word, ahead in days:
        start = site.clock.now().date() + ahead * DAY
        set_limits(site, site.firm.anna.id, word, start.isoformat())
    while site.clock.now() < end:
        site.clock.advance(days=1)
        answer = people(site.device, revision)
        assert not answer["reset"]
        limits, revision = limits | limits_in(answer), answer["revision"]
        assert limits == limits_in(people(site.device))


def test_a_clock_that_asks_for_changes_holds_the_limits_of_each_day(site: Site) -> None:
    days = [("youth", 1), ("adult", 2), ("maternity", 3), ("youth", 3), ("adult", 5), ("adult", 6)]
    assert_changes_suffice(site, days, site.clock.now() + timedelta(days=8))


@given(st.lists(st.tuples(st.sampled_from(sorted(LIMITS)), st.integers(0, 30)), max_size=5))
def test_the_limits_of_two_days_differ_only_where_their_members_do(changes: list[tuple[str, int]]) -> None:
    monday = date(2026, 11, 2)
    from_days = [(monday + n * DAY, LIMITS[word]) for word, n in sorted(changes, key=lambda change: change[1])]
    dated = DatedLimits(tuple(from_days))
    days = [dated.on(monday + n * DAY) for n in range(32)]
    for limits, next_limits in pairwise(days):
        assert (limits != next_limits) == (limits_member(limits) != limits_member(next_limits))
