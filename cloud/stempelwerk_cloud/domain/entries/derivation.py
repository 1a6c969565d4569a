"""Facts to time entries: `derive` is the one function that says what a person worked.

The same facts give the same entries, in whatever order they arrived and however often each arrived. It asks for no
`now`: what depends on it (running, and an entry that has been open too long) is `view`. Which stretch of facts must be
derived again after a change is in `islands`. It reads and writes nothing.
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
    """A time entry, independent of `now`. Minutes are whole minutes, None while it is incomplete.

    `start_stamp`, `end_stamp` are stamp ids; `device_id` and `clock_name` are those of its first stamp. `shift` is the
    id of the first entry of its shift, `shift_date` that shift's date. An entry without an end and without the flag
    `missing_out` is open: `view` says whether it still runs.
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
        """Its first known instant: the start, or the end where there is no start."""
        known = self.start_at or self.end_at
        assert known is not None
        return known


class Sheet(NamedTuple):
    """A person's entries, sorted by first known instant, and why the other stamps do not count.

    `hosts`: of double taps and replaced stamps, the counted stamp that each belongs to. `covered`: by stamp, the
    correction that concerns it; `deleted`: the void that took it out.
    """

    entries: tuple[Entry, ...]
    uncounted: dict[str, Reason]
    hosts: dict[str, str]
    covered: dict[str, Correction]
    deleted: dict[str, Void]


class View(NamedTuple):
    """An entry as it is read at one moment, in local time."""

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
    """One person's entries from one person's facts.

    `rested_since`: the end of the shift before these stamps, where they are cut off at a pause that is longer than the
    shift gap and has no decisions near; how long the first shift's rest was is told by it.
    """
    ordered = sorted({stamp.id: stamp for stamp in stamps}.values(), key=order)
    decided = {correction.id: correction for correction in corrections}
    deleted = {void.id: void for void in voids}
    if not decided and not deleted:
        pairing = pair(ordered, rules)
        return _finish(Settled([from_pair(one) for one in pairing.pairs], pairing.uncounted, {}, {}), rested_since)
    whole = Settled([], {}, {}, {})
    for island in split(ordered, decided.values(), deleted.values(), rules):
        timeline = Timeline(island.stamps, rules)
        timeline.apply(island.decisions)
        settled = timeline.settled()
        whole.drafts += settled.drafts
        whole.uncounted |= settled.uncounted
        whole.covered |= settled.covered
        whole.deleted |= settled.deleted
    return _finish(whole)


def view(entry: Entry, now: datetime, rules: DatedRules) -> View:
    """The entry as of `now`: running, or without an end because it has been open longer than the maximal shift."""
    held = rules.at(entry.known_at)
    listed = entry.flags
    running = False
    if entry.start_at is not None and entry.end_at is None and flags.MISSING_OUT not in listed:
        running = now - entry.start_at <= held.max_shift
        if not running:
            listed = flags.in_order({*listed, flags.MISSING_OUT})
    return View(
        entry.date,
        None if entry.start_at is None else local_hhmm(entry.start_at, held.zone),
        None if entry.end_at is None else local_hhmm(entry.end_at, held.zone),
        running,
        entry.raw_minutes,
        entry.break_minutes,
        entry.net_minutes,
        listed,
    )


def _finish(settled: Settled, rested_since: datetime | None = None) -> Sheet:
    grouped = shifts.group(settled.drafts)
    shifts.judge(grouped, None if rested_since is None else minute_of(rested_since))
    entries: list[Entry] = []
    for shift in grouped:
        dates = [local_day(draft.known_at, draft.rules.zone) for draft in shift]
        begun = next((day for day, draft in zip(dates, shift, strict=True) if draft.start_at), dates[0])
        name = shift[0].id
        entries += [_entry(draft, day, name, begun) for day, draft in zip(dates, shift, strict=True)]
    hosts = {one.stamp.id: one.host for draft in settled.drafts for one in draft.absorbed}
    return Sheet(tuple(entries), settled.uncounted, hosts, settled.covered, settled.deleted)


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
    start, end, found = draft.start, draft.end, draft.flags
    if draft.start_at is None:
        found.add(flags.MISSING_IN)
    elif draft.left:
        found.add(flags.MISSING_OUT)
    if draft.long:
        found.add(flags.LONG_ENTRY)
    if (start and start.uncertain and start.at == draft.start_at) or (end and end.uncertain and end.at == draft.end_at):
        found.add(flags.UNCERTAIN_TIME)
    if draft.correction is None and _shown_differs(draft):
        found.add(flags.SHOWN_DIFFERS)
    return flags.in_order(found)


def _shown_differs(draft: Draft) -> bool:
    """Whether a clock's display said otherwise than what came of the tap.

    "Unknown" says nothing about coming or going. A stamp that does not count differs only if the display said the
    direction that did not count; one that the person replaced does not differ: that was the person's own word.
    """
    start, end = draft.start, draft.end
    if start and start.shown in ("out", "double_tap"):
        return True
    if end and end.shown in ("in", "double_tap"):
        return True
    for one in draft.absorbed:
        opposite = "out" if start is not None and start.id == one.host else "in"
        if one.stamp.shown == opposite and not one.replaced:
            return True
    return False
