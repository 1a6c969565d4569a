"""May a time correction become a fact? Its local times as instants, and the reasons to refuse it, as values.

How an approved correction acts is in `timeline`. A request may lack a time, an approval may not; who may ask and who
decides is no question for the domain.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from enum import StrEnum
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.calendar import long_ago
from stempelwerk_cloud.domain.entries.derivation import Entry
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.islands import split
from stempelwerk_cloud.domain.entries.stamps import Stamp, order
from stempelwerk_cloud.domain.entries.timeline import Timeline, overlap
from stempelwerk_cloud.domain.instants import DAY, HOUR, local_day, minute_of, resolve
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.domain.working_time_act import break_due

_LONGEST = 16 * HOUR


class Refusal(StrEnum):
    """Why a correction cannot stand."""

    MISSING_START = "missing_start"
    MISSING_END = "missing_end"
    EQUAL_TIMES = "equal_times"
    NO_SUCH_START = "no_such_start"
    NO_SUCH_END = "no_such_end"
    TOO_LONG = "too_long"
    TOO_LONG_AGO = "too_long_ago"
    IN_FUTURE = "in_future"
    BREAK_TOO_LONG = "break_too_long"
    OVERLAP = "overlap"


class Bounds(NamedTuple):
    """The instants that a correction's local times mean, and how long that really is."""

    start: datetime
    end: datetime
    minutes: int


def bounds(
    day: date,
    new_start: time | None,
    new_end: time | None,
    rules: Rules,
    now: datetime,
    break_minutes: int | None = None,
) -> Bounds | Refusal:
    """What `new_start`–`new_end` on `day` means, or why it means nothing.

    An end at or before the start lies on the next day. Of a time that exists twice a start means the first and an end
    the second; an end that by this lies after the start stays on its day.
    """
    if new_start is None or new_end is None:
        return Refusal.MISSING_START if new_start is None else Refusal.MISSING_END
    if new_start == new_end:
        return Refusal.EQUAL_TIMES
    if long_ago(day, local_day(now, rules.zone)):
        return Refusal.TOO_LONG_AGO
    start = resolve(day, new_start, rules.zone, "start")
    end = _end(day, start, new_start, new_end, rules.zone)
    if start is None or end is None:
        return Refusal.NO_SUCH_START if start is None else Refusal.NO_SUCH_END
    minutes = minute_of(end) - minute_of(start)
    refusal: Refusal | None = None
    if end - start > max(rules.max_shift, _LONGEST):
        refusal = Refusal.TOO_LONG
    elif end > now:
        refusal = Refusal.IN_FUTURE
    elif break_minutes is not None and not 0 <= break_minutes <= minutes:
        refusal = Refusal.BREAK_TOO_LONG
    return refusal or Bounds(start, end, minutes)


def half_refused(
    day: date, new_start: time | None, new_end: time | None, rules: Rules, now: datetime
) -> Refusal | None:
    """What is wrong with a request that names one time, as far as nothing is known of the other.

    An end alone may lie on the next day.
    """
    if long_ago(day, local_day(now, rules.zone)):
        return Refusal.TOO_LONG_AGO
    if new_start is not None:
        starts = resolve(day, new_start, rules.zone, "start")
        if starts is None:
            return Refusal.NO_SUCH_START
        return Refusal.IN_FUTURE if starts > now else None
    if new_end is None:
        return Refusal.MISSING_START
    days = [day, day + DAY] if day < date.max else [day]
    ends = [end for one in days if (end := resolve(one, new_end, rules.zone, "end")) is not None]
    if not ends:
        return Refusal.NO_SUCH_END
    return Refusal.IN_FUTURE if ends[0] > now else None


def shift_asked_for(entries: Iterable[Entry], day: date, entry_id: str | None) -> list[Entry]:
    """The entries of the shift that a request concerns, as far as that is known before its bounds are.

    That is the shift of the entry that it names, else the only one dated on the day.
    """
    known = list(entries)
    if entry_id is None:
        names = {entry.shift for entry in known if entry.shift_date == day}
    else:
        names = {entry.shift for entry in known if entry.id == entry_id}
    return [entry for entry in known if entry.shift in names] if len(names) == 1 else []


def pauses_in(entries: Sequence[Entry], minutes: int, rules: Rules) -> int | None:
    """The break that one entry of `minutes` needs which takes the place of a shift with gaps between its entries.

    What the shift had as gaps is no time worked. None: what is deducted by rule is as much already.
    """
    ends = [entry.end_at for entry in entries]
    starts = [entry.start_at for entry in entries]
    gaps = sum(
        minute_of(start) - minute_of(end)
        for end, start in zip(ends, starts[1:], strict=False)
        if end is not None and start is not None and end < start
    )
    by_rule = break_due(minutes, 0, rules.limits) if rules.break_policy == "statutory" else 0
    return gaps if gaps > by_rule else None


class Piece(NamedTuple):
    """A part of an entry."""

    start: datetime
    end: datetime
    minutes: int


def left_out(entries: Iterable[tuple[datetime | None, datetime | None]], meant: Bounds) -> list[Piece]:
    """What new bounds leave out of entries (start and end), where both are known."""
    found: list[Piece] = []
    for start, end in entries:
        if start is not None and end is not None:
            for first, last in ((start, min(end, meant.start)), (max(start, meant.end), end)):
                if minute_of(first) < minute_of(last):
                    found.append(Piece(first, last, minute_of(last) - minute_of(first)))
    return found


def _end(day: date, start: datetime | None, new_start: time, new_end: time, zone: ZoneInfo) -> datetime | None:
    same_day = resolve(day, new_end, zone, "end")
    if new_end > new_start or (start is not None and same_day is not None and same_day > start):
        return same_day
    return resolve(day + DAY, new_end, zone, "end") if day < date.max else None


def settled(
    correction: Correction,
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction],
    voids: Iterable[Void],
    rules: DatedRules,
) -> Correction:
    """The correction with the shift that it concerns, or that it makes one: at its approval, and for good.

    The facts are those that stand before it; its `shift` names an entry of the shift, None leaves the choice to date
    and bounds.
    """
    return _turn(correction, stamps, corrections, voids, rules).settle(correction)


def overlaps(
    correction: Correction,
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction],
    voids: Iterable[Void],
    rules: DatedRules,
) -> bool:
    """Whether a settled correction would overlap an entry of another shift than the one it concerns.

    The facts are those that stand before it: at the request, and again at the approval.
    """
    own, _, drafts = _turn(correction, stamps, corrections, voids, rules).concerned(correction)
    ids = {draft.id for draft in own}
    replaced = {draft.correction for draft in own if draft.correction is not None}
    return any(
        draft.complete and draft.id not in ids and draft.correction not in replaced and overlap([draft], correction)
        for draft in drafts
    )


def _turn(
    correction: Correction,
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction],
    voids: Iterable[Void],
    rules: DatedRules,
) -> Timeline:
    """What stands where a correction acts, before it does."""
    others = {one.id: one for one in corrections if one.id != correction.id}
    ordered = sorted({stamp.id: stamp for stamp in stamps}.values(), key=order)
    island = next(
        one
        for one in split(ordered, [*others.values(), correction], {void.id: void for void in voids}.values(), rules)
        if correction in one.decisions
    )
    timeline = Timeline(island.stamps, rules)
    timeline.apply(decision for decision in island.decisions if decision is not correction)
    return timeline
