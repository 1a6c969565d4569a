"""The derivation of time entries: `derive` computes from facts what a person worked.

The same facts give the same entries, whatever their order of arrival, and also if they are repeated. `derive` does not
depend on the current time. `view` adds what does: whether an entry is running, or has been open for too long.

`islands` finds the facts that must be derived again after a change. This module reads and writes nothing.
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Literal, NamedTuple

from stempelwerk_cloud.domain.entries import flags, shifts
from stempelwerk_cloud.domain.entries.drafts import Draft, from_pair
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.islands import split
from stempelwerk_cloud.domain.entries.pairing import pair
from stempelwerk_cloud.domain.entries.stamps import Reason, Stamp, order
from stempelwerk_cloud.domain.entries.timeline import Settled, Timeline
from stempelwerk_cloud.domain.instants import local_day, local_hhmm, minute_of
from stempelwerk_cloud.domain.settings import DatedRules

Day = date


class Entry(NamedTuple):
    """A time entry, independent of the current time. All minutes are whole; they are None while the entry is
    incomplete.

    `start_stamp` and `end_stamp` are stamp ids. `device_id` and `clock_name` are those of the first stamp. `shift` is
    the id of the first entry of the shift, `shift_date` the date of that shift. An entry without an end and without the
    flag `missing_out` is open: `view` decides whether it is still running.
    """

    id: str
    date: Day
    start_at: datetime | None
    end_at: datetime | None
    start_stamp: str | None
    end_stamp: str | None
    raw_minutes: int | None
    break_minutes: int | None
    net_minutes: int | None
    source: Literal["clock", "correction"]
    flags: tuple[str, ...]
    correction_id: str | None
    device_id: str | None
    clock_name: str | None
    shift: str
    shift_date: Day

    @property
    def known_at(self) -> datetime:
        """The first known instant: the start, or the end if the start is missing."""
        instant = self.start_at or self.end_at
        assert instant is not None
        return instant


class Sheet(NamedTuple):
    """The result of a derivation: a person's entries, sorted by first known instant, and the reasons why other stamps
    do not count.

    `hosts`: for a double tap or a replaced stamp, the counted stamp that it belongs to. `covered`: by stamp id, the
    correction that covers the stamp. `deleted`: by stamp id, the void that took it out.
    """

    entries: tuple[Entry, ...]
    uncounted: dict[str, Reason]
    hosts: dict[str, str]
    covered: dict[str, Correction]
    deleted: dict[str, Void]


class View(NamedTuple):
    """An entry as it appears at one moment, with local times."""

    date: Day
    start: str | None
    end: str | None
    running: bool
    raw_minutes: int | None
    break_minutes: int | None
    net_minutes: int | None
    flags: tuple[str, ...]


def derive(
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction],
    voids: Iterable[Void],
    rules: DatedRules,
    rested_since: datetime | None = None,
) -> Sheet:
    """Derives one person's entries from their facts.

    `rested_since`: the end of the shift before these stamps, for the rest before their first shift. It is given only if
    the stamps begin after a pause that is longer than the shift gap, without decisions near it.
    """
    ordered = sorted({stamp.id: stamp for stamp in stamps}.values(), key=order)
    decided = {correction.id: correction for correction in corrections}
    deleted = {void.id: void for void in voids}
    if not decided and not deleted:
        pairing = pair(ordered, rules)
        return _finish(
            Settled([from_pair(stamp_pair) for stamp_pair in pairing.pairs], pairing.uncounted, {}, {}), rested_since
        )
    combined = Settled([], {}, {}, {})
    for island in split(ordered, decided.values(), deleted.values(), rules):
        timeline = Timeline(island.stamps, rules)
        timeline.apply(island.decisions)
        island_result = timeline.settle_island()
        combined.drafts += island_result.drafts
        combined.uncounted |= island_result.uncounted
        combined.covered |= island_result.covered
        combined.deleted |= island_result.deleted
    return _finish(combined)


def view(entry: Entry, now: datetime, rules: DatedRules) -> View:
    """Returns the entry as it appears at `now`: running, or without an end because it has been open for longer than the
    maximal shift.
    """
    rules_in_force = rules.at(entry.known_at)
    entry_flags = entry.flags
    running = False
    if entry.start_at is not None and entry.end_at is None and flags.MISSING_OUT not in entry_flags:
        running = now - entry.start_at <= rules_in_force.max_shift
        if not running:
            entry_flags = flags.in_order({*entry_flags, flags.MISSING_OUT})
    return View(
        entry.date,
        None if entry.start_at is None else local_hhmm(entry.start_at, rules_in_force.zone),
        None if entry.end_at is None else local_hhmm(entry.end_at, rules_in_force.zone),
        running,
        entry.raw_minutes,
        entry.break_minutes,
        entry.net_minutes,
        entry_flags,
    )


def _finish(combined: Settled, rested_since: datetime | None = None) -> Sheet:
    grouped = shifts.group(combined.drafts)
    shifts.judge(grouped, None if rested_since is None else minute_of(rested_since))
    entries: list[Entry] = []
    for shift in grouped:
        dates = [local_day(draft.known_at, draft.rules.zone) for draft in shift]
        begun = next((day for day, draft in zip(dates, shift, strict=True) if draft.start_at), dates[0])
        name = shift[0].id
        entries += [_entry(draft, day, name, begun) for day, draft in zip(dates, shift, strict=True)]
    hosts = {absorbed.stamp.id: absorbed.host for draft in combined.drafts for absorbed in draft.absorbed}
    return Sheet(tuple(entries), combined.uncounted, hosts, combined.covered, combined.deleted)


def _entry(draft: Draft, day: date, shift: str, shift_date: date) -> Entry:
    first = draft.start or draft.end
    return Entry(
        draft.id,
        day,
        draft.start_at,
        draft.end_at,
        draft.start and draft.start.id,
        draft.end and draft.end.id,
        draft.raw if draft.complete else None,
        draft.break_minutes if draft.complete else None,
        draft.raw - draft.break_minutes if draft.complete else None,
        "clock" if draft.correction is None else "correction",
        _flags(draft),
        draft.correction.id if draft.correction else None,
        first and first.device_id,
        first and first.device_name,
        shift,
        shift_date,
    )


def _flags(draft: Draft) -> tuple[str, ...]:
    start, end, entry_flags = draft.start, draft.end, draft.flags
    if draft.start_at is None:
        entry_flags.add(flags.MISSING_IN)
    elif draft.left:
        entry_flags.add(flags.MISSING_OUT)
    if draft.long:
        entry_flags.add(flags.LONG_ENTRY)
    if (start and start.uncertain and start.at == draft.start_at) or (end and end.uncertain and end.at == draft.end_at):
        entry_flags.add(flags.UNCERTAIN_TIME)
    if draft.correction is None and _shown_differs(draft):
        entry_flags.add(flags.SHOWN_DIFFERS)
    return flags.in_order(entry_flags)


def _shown_differs(draft: Draft) -> bool:
    """Returns whether the direction that the clock displayed at a tap differs from the derived one.

    "Unknown" displays no direction. A stamp that does not count differs only if the display showed the opposite of its
    counted stamp. It does not if the person replaced the stamp, because that was their choice.
    """
    start, end = draft.start, draft.end
    if start and start.shown in ("out", "double_tap"):
        return True
    if end and end.shown in ("in", "double_tap"):
        return True
    for absorbed in draft.absorbed:
        opposite = "out" if start is not None and start.id == absorbed.host else "in"
        if absorbed.stamp.shown == opposite and not absorbed.replaced:
            return True
    return False
