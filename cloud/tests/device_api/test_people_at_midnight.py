"""A new day on the clocks: who is sent again, when, and that no figure of yesterday is taken for today's."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.entries.derivation import Entry
from stempelwerk_cloud.domain.entries.presence import SPREAD_S, announced_day
from stempelwerk_cloud.domain.instants import DAY, day_start, local_day, ms_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.times import clock_people
from stempelwerk_cloud.timekeeping.times.room import ROOM

from cloud.tests.device_client import Clock
from cloud.tests.stamping import ANNA, MORNING, Site, hours

MIDNIGHT = datetime(2026, 11, 20, 23, 0, tzinfo=UTC)
"""In Berlin; a Friday ends."""
SPREAD = timedelta(seconds=SPREAD_S)


def people(device: Clock, since_revision: object = None) -> dict[str, Any]:
    answer = device.send("GET", "/api/devices/people" + (f"?since={since_revision}" if since_revision else ""))
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def names(answer: dict[str, Any]) -> set[str]:
    return {person["name"] for person in answer["people"]}


def announced(site: Site) -> str:
    revision = site.device.beat().json()["peopleRevision"]
    assert isinstance(revision, str)
    return revision


@pytest.fixture
def held_revision(site: Site) -> str:
    """The revision of a clock that knows of this day: Anna has worked for four hours, Ben has not come."""
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(4)))
    site.clock.set(MIDNIGHT - hours(1))
    return str(people(site.device)["revision"])


def test_a_new_day_tells_only_of_those_whose_minutes_it_changes(site: Site, held_revision: str) -> None:
    site.clock.set(MIDNIGHT + SPREAD)
    update = people(site.device, held_revision)
    assert (update["reset"], update["removed"], update["day"]) == (False, [], "2026-11-21")
    assert [(person["name"], person["todayMinutes"], person["weekMinutes"]) for person in update["people"]] == [
        ("anna", 0, 240)
    ]


def test_a_new_week_tells_of_those_who_worked_in_the_last_one(site: Site, held_revision: str) -> None:
    site.clock.set(MIDNIGHT + SPREAD)
    saturday = people(site.device, held_revision)["revision"]
    site.clock.set(MIDNIGHT + DAY + SPREAD)
    sunday = people(site.device, saturday)
    assert (sunday["reset"], sunday["people"]) == (False, [])
    site.clock.set(MIDNIGHT + 2 * DAY + SPREAD)
    monday = people(site.device, sunday["revision"])
    assert [(person["name"], person["todayMinutes"], person["weekMinutes"]) for person in monday["people"]] == [
        ("anna", 0, 0)
    ]


def test_who_forgot_to_go_is_told_as_out(site: Site) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(2)))
    site.clock.set(MIDNIGHT - hours(1))
    first = people(site.device)
    assert {person["name"]: person["state"] for person in first["people"]}["anna"] == "in"
    site.clock.set(MIDNIGHT + hours(20))
    update = people(site.device, first["revision"])
    assert [(person["name"], person["state"]) for person in update["people"]] == [("anna", "out")]


def test_the_new_day_is_announced_to_each_clock_at_its_own_moment(site: Site, held_revision: str) -> None:
    clocks = [site.device, *(site.another_clock(f"SW-T-{number}", number) for number in range(2, 8))]
    turns = set()
    for clock in clocks:
        site.clock.set(MIDNIGHT - hours(1))
        revision_before = clock.beat().json()["peopleRevision"]
        seconds = next(
            second
            for second in range(SPREAD_S + 1)
            if announced_day(clock.device_id, MIDNIGHT + timedelta(seconds=second), ZoneInfo("Europe/Berlin"))
            == date(2026, 11, 21)
        )
        turns.add(seconds)
        site.clock.set(MIDNIGHT + timedelta(seconds=seconds, milliseconds=-1))
        assert clock.beat().json()["peopleRevision"] == revision_before
        site.clock.set(MIDNIGHT + timedelta(seconds=seconds))
        assert clock.beat().json()["peopleRevision"] != revision_before
    assert len(turns) > len(clocks) / 2


def test_between_midnight_and_its_moment_a_clock_is_told_of_the_new_day_and_asks_no_more_than_once(
    site: Site, held_revision: str
) -> None:
    site.clock.set(MIDNIGHT)
    assert announced(site) == held_revision
    site.device.deliver(site.device.tap("04D4E5F6", MIDNIGHT))
    site.clock.advance(milliseconds=1)
    update = people(site.device, held_revision)
    assert (update["day"], update["revision"]) == ("2026-11-21", announced(site))
    assert {person["name"]: person["todayMinutes"] for person in update["people"]}.get("anna", 0) == 0
    assert "ben" in names(update)
    whole_list = people(site.device)
    assert (whole_list["reset"], whole_list["day"], whole_list["revision"]) == (True, "2026-11-21", update["revision"])


def test_whether_hours_are_shown_is_part_of_the_revision(site: Site, held_revision: str) -> None:
    site.boss.put(f"/api/companies/{site.firm.id}/settings", json={"clockShowsBalance": False})
    assert announced(site) != held_revision
    update = people(site.device, held_revision)
    assert (update["reset"], names(update)) == (False, {"anna", "ben", "chefin"})
    assert {person["todayMinutes"] for person in update["people"]} == {None}
    site.clock.set(MIDNIGHT + SPREAD)
    assert people(site.device, update["revision"])["people"] == []
    site.boss.put(f"/api/companies/{site.firm.id}/settings", json={"clockShowsBalance": True})
    second_update = people(site.device, update["revision"])
    assert {person["name"]: person["weekMinutes"] for person in second_update["people"]}["anna"] == 240


def test_a_quiet_company_is_not_told_anew_every_night(site: Site, held_revision: str) -> None:
    revision = held_revision
    for night in range(12):
        site.clock.set(MIDNIGHT + night * DAY + SPREAD)
        with site.world.platform.database.write(SYSTEM) as tx:
            for keep in ROOM.retention_rules:
                keep.remove(tx, site.clock.now())
        update = people(site.device, revision)
        assert update["reset"] is False
        revision = update["revision"]


@pytest.mark.parametrize("day", ["", "0001-01-01", "9999-12-31", "2026-11-31", "2026-11-09", "heute"])
def test_a_revision_of_a_day_that_nobody_named_is_answered_with_everybody(
    site: Site, held_revision: str, day: str
) -> None:
    update = people(site.device, held_revision.replace("2026-11-20", day))
    assert (update["reset"], len(update["people"])) == (True, 3)


NIGHTS = st.sampled_from(
    [
        ("Europe/Berlin", date(2026, 11, 20)),
        ("Europe/Berlin", date(2027, 3, 27)),
        ("Europe/Berlin", date(2026, 10, 24)),
        ("America/Santiago", date(2027, 9, 4)),
        ("America/Santiago", date(2027, 4, 3)),
        ("Pacific/Kiritimati", date(2026, 12, 31)),
        ("Pacific/Apia", date(2026, 11, 20)),
    ]
)
DEVICES = st.uuids().map(str)
OFFSETS = st.integers(0, 3 * 24 * 60 * 60).map(lambda seconds: timedelta(seconds=seconds))


def entry(number: int, start: datetime, minutes: int | None, zone: ZoneInfo) -> Entry:
    end = None if minutes is None else start + timedelta(minutes=minutes)
    day = local_day(start, zone).isoformat()
    return clock_people._entry(("u", f"e{number}", day, ms_of(start), end and ms_of(end), minutes, 0))


@given(night=NIGHTS, device=DEVICES, offset=OFFSETS)
def test_a_day_is_announced_within_minutes_and_never_before_it_begins(
    night: tuple[str, date], device: str, offset: timedelta
) -> None:
    zone = ZoneInfo(night[0])
    now = day_start(night[1], zone) + offset
    day = announced_day(device, now, zone)
    assert day <= local_day(now, zone)
    assert day >= local_day(now - SPREAD, zone)
    assert announced_day(device, day_start(day, zone) + SPREAD, zone) == day


@given(
    night=NIGHTS,
    device=DEVICES,
    worked=st.lists(st.tuples(st.integers(0, 9 * 24 * 60), st.integers(1, 600)), max_size=6),
    open_since=st.none() | st.integers(0, 30 * 60),
    looks=st.lists(OFFSETS, min_size=1, max_size=6).map(sorted),
)
def test_a_clock_that_is_told_only_what_a_day_changes_shows_what_one_shows_that_was_told_everything(
    night: tuple[str, date],
    device: str,
    worked: list[tuple[int, int]],
    open_since: int | None,
    looks: list[timedelta],
) -> None:
    zone = ZoneInfo(night[0])
    rules = settings.dated_rules([Change("time_zone", date(2020, 1, 1), f'"{night[0]}"')])
    first = day_start(night[1], zone) + 12 * timedelta(hours=1)
    entries = [entry(n, first - timedelta(minutes=ago + long), long, zone) for n, (ago, long) in enumerate(worked)]
    if open_since is not None:
        entries.append(entry(99, first - timedelta(minutes=open_since), None, zone))
    entries.sort(key=lambda day_entry: (day_entry.known_at, day_entry.id))
    view, of = clock_people._view_person(entries, first, rules, hours=True), local_day(first, zone)
    held_day = announced_day(device, first, zone)
    for look in looks:
        now = first + look
        if announced_day(device, now, zone) != held_day:
            if clock_people._changed_by_new_day({"u": entries}, day_start(held_day, zone), now, rules, hours=True):
                view, of = clock_people._view_person(entries, now, rules, hours=True), local_day(now, zone)
            held_day = announced_day(device, now, zone)
            current_view = clock_people._view_person(entries, now, rules, hours=True)
            assert (view.since, view.week_minutes) == (current_view.since, current_view.week_minutes)
            assert view.state == current_view.state
        minutes_shown = view.today_minutes if of == local_day(now, zone) else 0
        assert minutes_shown == clock_people._view_person(entries, now, rules, hours=True).today_minutes
