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
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding

from cloud.tests.device_client import outcomes
from cloud.tests.stamping import ANNA, BEN, EVENING, MORNING, Site, hours
from cloud.tests.world import Somebody


def _works(site: Site, *spans: tuple[float, float], tag: str = ANNA) -> None:
    """Comes and goes, in hours after `MORNING` (07:00 of Friday the 20th); afterwards it is some hours later."""
    device = site.device
    site.clock.set(max(EVENING, MORNING + hours(spans[-1][1] + 4)))
    taps = [device.tap(tag, MORNING + hours(offset)) for span in spans for offset in span]
    assert set(outcomes(device.sent(device.batch(*taps)))) == {"stored"}


def _employ(site: Site, whom: Somebody | None = None, **limits: Any) -> None:
    answer = site.boss.put(f"/api/users/{(whom or site.firm.anna).id}/employment", json=limits)
    assert answer.status_code == 200, answer.text


def _judged_entries(site: Site, whom: Somebody | None = None) -> list[tuple[str, int, list[str]]]:
    """Returns, for each day, minutes of break and flags."""
    return [(entry["date"][-2:], entry["breakMinutes"], entry["flags"]) for entry in site.times(whom)]


def _rebuilt(site: Site) -> Sequence[str]:
    """Returns the entries that differ from a rebuild."""
    with site.world.platform.database.write(SYSTEM) as tx:
        return deciding.rebuild(UnitOfWork(tx, site.world.platform), site.firm.id).entries


def test_a_youths_break_is_due_earlier_and_their_day_is_over_earlier(site: Site) -> None:
    _employ(site, limits="youth")
    _works(site, (0, 5), (24, 33))
    assert _judged_entries(site) == [("20", 30, []), ("21", 60, [])]
    _works(site, (48, 57.25))
    assert _judged_entries(site)[-1] == ("22", 60, ["over_10_h"])


def test_who_is_expecting_works_eight_hours_and_a_half(site: Site) -> None:
    _employ(site, limits="maternity")
    _works(site, (0, 9), (24, 33.25))
    assert _judged_entries(site) == [("20", 30, []), ("21", 30, ["over_10_h"])]


def test_a_youth_rests_for_twelve_hours(site: Site) -> None:
    _works(site, (-20, -16), (-4.5, -1))  # from 11:00 to 15:00 and from 02:30 to 06:00
    assert _judged_entries(site) == [("19", 0, []), ("20", 0, [])]
    _employ(site, limits="youth")
    assert _judged_entries(site) == [("19", 0, []), ("20", 0, ["short_rest"])]
    assert _rebuilt(site) == ()


def test_a_grown_ups_limits_hold_for_everybody_else(site: Site) -> None:
    _works(site, (0, 5))
    _works(site, (0, 5), tag=BEN)
    _employ(site, site.firm.ben, limits="youth")
    assert _judged_entries(site) == [("20", 0, [])]
    assert _judged_entries(site, site.firm.ben) == [("20", 30, [])]


def test_limits_hold_from_their_day_and_change_what_was_derived_since(site: Site) -> None:
    _works(site, (0, 5), (24, 29), (48, 53))
    _employ(site, limits="adult", validFrom="2026-11-20")
    assert [entry[1] for entry in _judged_entries(site)] == [0, 0, 0]
    _employ(site, limits="youth", validFrom="2026-11-21")
    assert [entry[1] for entry in _judged_entries(site)] == [0, 30, 30]
    assert _rebuilt(site) == ()
    _employ(site, limits="adult", validFrom="2026-11-22")
    assert [entry[1] for entry in _judged_entries(site)] == [0, 30, 0]
    assert _rebuilt(site) == ()


def test_a_shift_is_judged_by_what_held_when_it_began(site: Site) -> None:
    _employ(site, limits="youth", validFrom="2026-11-19")
    _employ(site, limits="adult", validFrom="2026-11-20")
    _works(site, (-8, -3))  # from 23:00
    assert _judged_entries(site) == [("19", 30, [])]


@pytest.mark.parametrize("first_day", ["2026-11-21", None])
def test_the_first_limits_ever_given_change_nothing_before_their_day(site: Site, first_day: str | None) -> None:
    _works(site, (0, 5), (24, 29))
    _employ(site, limits="youth", validFrom=first_day)
    assert [entry[1] for entry in _judged_entries(site)] == [0, 30]


def test_limits_may_be_known_before_there_is_any_stamp(site: Site) -> None:
    _employ(site, limits="youth")
    _works(site, (0, 5))
    assert _judged_entries(site) == [("20", 30, [])]
    assert _rebuilt(site) == ()


def test_a_corrected_shift_is_judged_by_the_persons_own_limits(site: Site) -> None:
    _works(site, (0, 3))
    _employ(site, limits="youth")
    zone = Rules().zone
    day = MORNING.date()
    start, end = (datetime.combine(day, time(hour), zone) for hour in (8, 15))
    shift = site.times()[0]["id"]
    correction = Correction(str(uuid4()), day, start, end, None, EVENING, EVENING, shift, MORNING)
    platform = site.world.platform
    with platform.database.write(SYSTEM) as tx:
        deciding.correct(UnitOfWork(tx, platform), site.firm.id, site.firm.anna.id, correction)
    assert _judged_entries(site) == [("20", 60, [])]
    assert _rebuilt(site) == ()


def test_limits_are_read_once_and_not_with_each_batch(site: Site, asked: list[str]) -> None:
    _employ(site, limits="youth")
    _works(site, (0, 1))
    asked.clear()
    _works(site, (2, 3), (4, 5))
    assert [statement for statement in asked if "person_values" in statement or "company_settings" in statement] == []


def test_a_wish_to_see_times_of_another_company_changes_nothing(site: Site) -> None:
    other_firm = site.world.firm("Schreinerei Span")
    answer = site.somebody(other_firm.boss).put(f"/api/users/{site.firm.anna.id}/employment", json={"limits": "youth"})
    assert answer.status_code == 404
    _works(site, (0, 5))
    assert _judged_entries(site) == [("20", 0, [])]


@pytest.mark.parametrize("first", ["youth", "maternity"])
def test_to_say_the_same_again_derives_nothing(site: Site, first: str) -> None:
    _works(site, (0, 5))
    _employ(site, limits=first)
    times_before = site.times()
    _employ(site, limits=first, validFrom="2026-11-20")
    assert site.times() == times_before
    logged = site.boss.get(f"/api/companies/{site.firm.id}/audit?action=employment.changed").json()
    assert len(logged) == 1
