"""Entries as values: other rooms calculate with what the page shows, only of this company."""

import random
from datetime import date, timedelta
from typing import Any

import pytest
from stempelwerk_cloud.kit.database import statements
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM
from stempelwerk_cloud.timekeeping.times.reading.values import EntryValue, of_company, of_person
from stempelwerk_cloud.timekeeping.times.review import review

from cloud.tests.device_client import Clock
from cloud.tests.stamping import ANNA, BEN, MORNING, Site, hours

FIRST, LAST = date(2026, 11, 1), date(2026, 11, 30)


@pytest.fixture
def busy(site: Site) -> Site:
    """A day of two people, with an open Kommen of today and a forgotten Gehen of the week before."""
    device = site.device
    site.founder.put(f"/api/devices/{device.device_id}", json={"name": "Tor 1"})
    device.deliver(device.tap(ANNA, MORNING), device.tap(BEN, MORNING + hours(0.5)), anchors=[device.anchor(MORNING)])
    device.deliver(device.tap(ANNA, MORNING + hours(4)), device.tap(ANNA, MORNING + hours(4.75)))
    device.deliver(device.tap(BEN, MORNING + hours(8.5)), device.tap(ANNA, MORNING + hours(9)))
    device.deliver(device.tap(BEN, MORNING + hours(11)))
    return site


def read(site: Site, company_id: str = "", user_id: str = "") -> list[EntryValue]:
    platform, now = site.world.platform, site.clock.now()
    with platform.database.read(DEVICES) as session:
        company_id = company_id or site.firm.id
        if user_id:
            return list(of_person(session, company_id, user_id, FIRST, LAST, now))
        return list(of_company(session, company_id, FIRST, LAST, now))


def as_shown(value: EntryValue) -> dict[str, Any]:
    """As the page's call shows it."""
    return {
        "id": value.id,
        "date": value.date.isoformat(),
        "start": _hhmm(value.start_minute),
        "end": _hhmm(value.end_minute),
        "running": value.running,
        "breakMinutes": value.break_minutes,
        "workedMinutesRaw": value.raw_minutes,
        "workedMinutesNet": value.net_minutes,
        "source": value.source,
        "flags": list(value.flags),
        "clockName": value.clock_name,
    }


def _hhmm(minute: int | None) -> str | None:
    return None if minute is None else f"{minute // 60:02d}:{minute % 60:02d}"


def test_another_company_s_entries_are_not_among_them(busy: Site) -> None:
    other_firm = busy.world.firm("Bäckerei Krume")
    gate = busy.another_clock("SW-T-2", 2, other_firm)
    gate.deliver(gate.tap(ANNA, MORNING + hours(1)), anchors=[gate.anchor(MORNING)])
    assert [value.user_id for value in read(busy, other_firm.id)] == [other_firm.anna.id]
    assert {value.user_id for value in read(busy)} == {busy.firm.anna.id, busy.firm.ben.id}
    assert read(busy, other_firm.id, busy.firm.anna.id) == []


def test_a_person_s_values_are_what_the_page_shows(busy: Site) -> None:
    for employee in (busy.firm.anna, busy.firm.ben):
        entry_values = read(busy, user_id=employee.id)
        assert len(entry_values) == 2
        assert [as_shown(value) for value in entry_values] == busy.times(employee)
        assert {value.clock_name for value in entry_values} == {"Tor 1"}


def test_a_company_s_values_are_those_of_its_people_one_after_the_other(busy: Site) -> None:
    people = sorted([busy.firm.anna.id, busy.firm.ben.id])
    assert read(busy) == [value for user_id in people for value in read(busy, user_id=user_id)]


def test_instants_are_those_of_the_taps(busy: Site) -> None:
    first, second = read(busy, user_id=busy.firm.anna.id)
    assert (first.start, first.end) == (MORNING, MORNING + hours(4))
    assert (second.start, second.end) == (MORNING + hours(4.75), MORNING + hours(9))


def test_what_runs_and_what_was_left_open_are_told_apart_and_no_inner_bit_is_shown(busy: Site) -> None:
    assert [(value.running, value.flags) for value in read(busy, user_id=busy.firm.ben.id)] == [(False, ()), (True, ())]
    busy.clock.advance(days=3)
    open_one = read(busy, user_id=busy.firm.ben.id)[-1]
    assert (open_one.running, open_one.flags, open_one.net_minutes) == (False, ("missing_out",), None)
    with busy.world.platform.database.write(SYSTEM) as session:
        assert review.sweep(session, busy.clock.now())
    assert read(busy, user_id=busy.firm.ben.id)[-1] == open_one


def test_a_stream_of_many_rounds_is_as_one_of_one(busy: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    _work(busy.device, random.Random(4))
    at_once = read(busy)
    assert len(at_once) > 20
    monkeypatch.setattr(statements, "STREAMED_AT_ONCE", 3)
    assert read(busy) == at_once


def test_two_streams_may_be_open_at_once(busy: Site) -> None:
    platform, now = busy.world.platform, busy.clock.now()
    with platform.database.read(DEVICES) as session:
        both = [of_company(session, busy.firm.id, FIRST, LAST, now) for _ in range(2)]
        assert [list(pair) for pair in zip(*both, strict=True)] == [[value, value] for value in read(busy)]


def _work(device: Clock, rng: random.Random) -> None:
    """Kommen and Gehen of two people, the day before, every 40 minutes."""
    begun = MORNING - timedelta(hours=23) + timedelta(minutes=rng.randrange(20))
    for tag in (ANNA, BEN):
        device.deliver(*(device.tap(tag, begun + timedelta(minutes=40 * number)) for number in range(24)))
