"""Younger and pregnant people have limits of working time of their own, from a day on (JArbSchG, MuSchG)."""

from collections.abc import Sequence
from datetime import datetime, time
from typing import Any
from uuid import uuid4

import pytest
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.domain.settings import Rules
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.entries import service as entries

from cloud.tests.device_client import outcomes
from cloud.tests.stamping import ANNA, BEN, EVENING, MORNING, Wall, hours
from cloud.tests.world import Somebody


def _works(wall: Wall, *spans: tuple[float, float], tag: str = ANNA) -> None:
    """Comes and goes, in hours after `MORNING` (07:00 of Friday the 20th); afterwards it is some hours later."""
    device = wall.device
    wall.clock.set(max(EVENING, MORNING + hours(spans[-1][1] + 4)))
    taps = [device.tap(tag, MORNING + hours(offset)) for span in spans for offset in span]
    assert set(outcomes(device.sent(device.batch(*taps)))) == {"stored"}


def _employ(wall: Wall, whom: Somebody | None = None, **limits: Any) -> None:
    answer = wall.boss.put(f"/api/users/{(whom or wall.firm.anna).id}/employment", json=limits)
    assert answer.status_code == 200, answer.text


def _judged_entries(wall: Wall, whom: Somebody | None = None) -> list[tuple[str, int, list[str]]]:
    """Returns, for each day, minutes of break and flags."""
    return [(entry["date"][-2:], entry["breakMinutes"], entry["flags"]) for entry in wall.times(whom)]


def _rebuilt(wall: Wall) -> Sequence[str]:
    """Returns the entries that differ from a rebuild."""
    with wall.world.platform.database.write(SYSTEM) as tx:
        return entries.rebuild(UnitOfWork(tx, wall.world.platform), wall.firm.id).entries


def test_a_youths_break_is_due_earlier_and_their_day_is_over_earlier(wall: Wall) -> None:
    _employ(wall, limits="youth")
    _works(wall, (0, 5), (24, 33))
    assert _judged_entries(wall) == [("20", 30, []), ("21", 60, [])]
    _works(wall, (48, 57.25))
    assert _judged_entries(wall)[-1] == ("22", 60, ["over_10_h"])


def test_who_is_expecting_works_eight_hours_and_a_half(wall: Wall) -> None:
    _employ(wall, limits="maternity")
    _works(wall, (0, 9), (24, 33.25))
    assert _judged_entries(wall) == [("20", 30, []), ("21", 30, ["over_10_h"])]


def test_a_youth_rests_for_twelve_hours(wall: Wall) -> None:
    _works(wall, (-20, -16), (-4.5, -1))  # from 11:00 to 15:00 and from 02:30 to 06:00
    assert _judged_entries(wall) == [("19", 0, []), ("20", 0, [])]
    _employ(wall, limits="youth")
    assert _judged_entries(wall) == [("19", 0, []), ("20", 0, ["short_rest"])]
    assert _rebuilt(wall) == ()


def test_a_grown_ups_limits_hold_for_everybody_else(wall: Wall) -> None:
    _works(wall, (0, 5))
    _works(wall, (0, 5), tag=BEN)
    _employ(wall, wall.firm.ben, limits="youth")
    assert _judged_entries(wall) == [("20", 0, [])]
    assert _judged_entries(wall, wall.firm.ben) == [("20", 30, [])]


def test_limits_hold_from_their_day_and_change_what_was_derived_since(wall: Wall) -> None:
    _works(wall, (0, 5), (24, 29), (48, 53))
    _employ(wall, limits="adult", validFrom="2026-11-20")
    assert [entry[1] for entry in _judged_entries(wall)] == [0, 0, 0]
    _employ(wall, limits="youth", validFrom="2026-11-21")
    assert [entry[1] for entry in _judged_entries(wall)] == [0, 30, 30]
    assert _rebuilt(wall) == ()
    _employ(wall, limits="adult", validFrom="2026-11-22")
    assert [entry[1] for entry in _judged_entries(wall)] == [0, 30, 0]
    assert _rebuilt(wall) == ()


def test_a_shift_is_judged_by_what_held_when_it_began(wall: Wall) -> None:
    _employ(wall, limits="youth", validFrom="2026-11-19")
    _employ(wall, limits="adult", validFrom="2026-11-20")
    _works(wall, (-8, -3))  # from 23:00
    assert _judged_entries(wall) == [("19", 30, [])]


@pytest.mark.parametrize("first_day", ["2026-11-21", None])
def test_the_first_limits_ever_given_change_nothing_before_their_day(wall: Wall, first_day: str | None) -> None:
    _works(wall, (0, 5), (24, 29))
    _employ(wall, limits="youth", validFrom=first_day)
    assert [entry[1] for entry in _judged_entries(wall)] == [0, 30]


def test_limits_may_be_known_before_there_is_any_stamp(wall: Wall) -> None:
    _employ(wall, limits="youth")
    _works(wall, (0, 5))
    assert _judged_entries(wall) == [("20", 30, [])]
    assert _rebuilt(wall) == ()


def test_a_corrected_shift_is_judged_by_the_persons_own_limits(wall: Wall) -> None:
    _works(wall, (0, 3))
    _employ(wall, limits="youth")
    zone = Rules().zone
    day = MORNING.date()
    start, end = (datetime.combine(day, time(hour), zone) for hour in (8, 15))
    shift = wall.times()[0]["id"]
    correction = Correction(str(uuid4()), day, start, end, None, EVENING, EVENING, shift, MORNING)
    platform = wall.world.platform
    with platform.database.write(SYSTEM) as tx:
        entries.correct(UnitOfWork(tx, platform), wall.firm.id, wall.firm.anna.id, correction)
    assert _judged_entries(wall) == [("20", 60, [])]
    assert _rebuilt(wall) == ()


def test_limits_are_read_once_and_not_with_each_batch(wall: Wall, asked: list[str]) -> None:
    _employ(wall, limits="youth")
    _works(wall, (0, 1))
    asked.clear()
    _works(wall, (2, 3), (4, 5))
    assert [statement for statement in asked if "person_values" in statement or "company_settings" in statement] == []


def test_a_wish_to_see_times_of_another_company_changes_nothing(wall: Wall) -> None:
    other_firm = wall.world.firm("Schreinerei Span")
    answer = wall.somebody(other_firm.boss).put(f"/api/users/{wall.firm.anna.id}/employment", json={"limits": "youth"})
    assert answer.status_code == 404
    _works(wall, (0, 5))
    assert _judged_entries(wall) == [("20", 0, [])]


@pytest.mark.parametrize("first", ["youth", "maternity"])
def test_to_say_the_same_again_derives_nothing(wall: Wall, first: str) -> None:
    _works(wall, (0, 5))
    _employ(wall, limits=first)
    times_before = wall.times()
    _employ(wall, limits=first, validFrom="2026-11-20")
    assert wall.times() == times_before
    logged = wall.boss.get(f"/api/companies/{wall.firm.id}/audit?action=employment.changed").json()
    assert len(logged) == 1
