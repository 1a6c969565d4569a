"""Requests against random stamps: refused where the domain refuses them, and otherwise equal to the derivation."""

from collections.abc import Iterator
from datetime import date, time, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stempelwerk_cloud.domain.entries.corrections import Refusal, bounds, overlaps, settle
from stempelwerk_cloud.domain.entries.derivation import derive, view
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.settings import Rules
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.schemas import parse_instant
from stempelwerk_cloud.timekeeping.ledger.decisions import decisions_of
from stempelwerk_tools.untimed import examples

from cloud.tests.correcting import approve, ask, at, hang_long_since, must_equal_a_rebuild
from cloud.tests.domain.days import DEFAULT
from cloud.tests.stamping import ANNA, Site

LAST = date(2026, 11, 10)
MINUTES = st.integers(0, 24 * 4 - 1).map(lambda quarter: quarter * 15)
TAPS = st.lists(
    st.tuples(st.integers(0, 1), MINUTES, st.sampled_from(["auto", "auto", "auto", "in", "out"])),
    max_size=8,
    unique_by=lambda tap: tap[:2],
)


@pytest.fixture
def weeks(site: Site) -> Iterator[date]:
    """Days that have nothing to do with each other, of a clock that has been there for long."""
    hang_long_since(site, "2016-01-01 00:00")
    return (LAST - timedelta(days=7 * number) for number in count())


def _entries(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    names = ("id", "date", "start", "end", "workedMinutesNet", "breakMinutes", "source", "flags")
    return [tuple(row[name] for name in names) for row in rows]


def _delivered(site: Site, day: date, taps: list[tuple[int, int, str]]) -> list[Stamp]:
    """Taps that the clock delivers, as the domain sees them."""
    device = site.device
    taps_delivered = [
        device.tap(
            ANNA, at(f"{day + timedelta(days=offset)} {minute // 60:02d}:{minute % 60:02d}"), direction=direction
        )
        for offset, minute, direction in sorted(taps)
    ]
    if taps_delivered:
        device.deliver(*taps_delivered)
    return [
        Stamp(tap["id"], parse_instant(tap["wall"]), tap["direction"], device.device_id, device.epoch, tap["seq"])
        for tap in taps_delivered
    ]


@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_an_approved_request_leaves_exactly_what_the_domain_says_also_when_stamps_come_late(
    site: Site, weeks: Iterator[date], data: st.DataObject
) -> None:
    day = next(weeks)
    days = (day, day + timedelta(days=2))
    stamps = _delivered(site, day, data.draw(TAPS))
    entries_before = site.times(first=str(days[0]), last=str(days[1]))
    start, end = data.draw(MINUTES), data.draw(MINUTES)
    named_entry = data.draw(st.sampled_from([None, *(entry["id"] for entry in entries_before)]))
    pause = data.draw(st.sampled_from([None, None, 0, 45]))
    now, times = site.clock.now(), [time(minute // 60, minute % 60) for minute in (start, end)]
    request_bounds = bounds(day, times[0], times[1], Rules(), now, pause)
    expected: Refusal | None = request_bounds if isinstance(request_bounds, Refusal) else None
    if not isinstance(request_bounds, Refusal):
        place = next(
            (derived.known_at for derived in derive(stamps, [], [], DEFAULT).entries if derived.id == named_entry), None
        )
        wished = Correction("wish", day, request_bounds.start, request_bounds.end, pause, now, now, named_entry, place)
        wished = settle(wished, stamps, [], [], DEFAULT)
        expected = Refusal.OVERLAP if overlaps(wished, stamps, [], [], DEFAULT) else None
    body = {
        "newStart": f"{times[0]:%H:%M}",
        "newEnd": f"{times[1]:%H:%M}",
        "entryId": named_entry,
        "breakMinutes": pause,
    }
    answer = ask(site.somebody(site.firm.anna), date=str(day), **body)
    if expected is not None:
        assert (answer.status_code, answer.json()["code"]) == (422, expected.value)
        assert site.times(first=str(days[0]), last=str(days[1])) == entries_before
        return
    assert answer.status_code == 201, answer.text
    request = answer.json()
    assert approve(site.boss, request["id"]).status_code == 200
    with site.world.platform.database.read(SYSTEM) as tx:
        decided = decisions_of(tx, site.firm.id, site.firm.anna.id).corrections
    (fact,) = [fact for fact in decided if fact.id == request["id"]]
    assert (fact.new_start, fact.new_end, fact.break_minutes) == (request_bounds.start, request_bounds.end, pause)  # type: ignore[union-attr]
    assert fact.shift == wished.shift  # type: ignore[possibly-undefined]
    stamps += _delivered(site, day, data.draw(TAPS))
    views = [(entry, view(entry, now, DEFAULT)) for entry in derive(stamps, [fact], [], DEFAULT).entries]
    assert _entries(site.times(first=str(days[0]), last=str(days[1]))) == [
        (
            entry.id,
            str(entry_view.date),
            entry_view.start,
            entry_view.end,
            entry_view.net_minutes,
            entry_view.break_minutes,
            entry.source,
            [*entry_view.flags],
        )
        for entry, entry_view in views
    ]
    must_equal_a_rebuild(site)
