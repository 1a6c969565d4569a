"""Validation of time corrections: converts local times into instants, and returns reasons for refusal as values.

The effect of an approved correction is in `timeline`. A request may lack one time, an approval may not. Who may request
and who decides is not decided here.
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
    """The reason why a correction is invalid."""

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
    """The instants that a correction's local times mean, and the real duration between them."""

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
    """Returns the instants of `new_start`–`new_end` on `day`, or the reason why they are invalid.

    An end at or before the start lies on the next day. For a local time that exists twice, the start is the first and
    the end the second one. An end that then lies after the start stays on its day.
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
    """Returns the reason why a request with only one known time is invalid, or None. A request with only an end may
    mean the next day.
    """
    if long_ago(day, local_day(now, rules.zone)):
        return Refusal.TOO_LONG_AGO
    if new_start is not None:
        start_at = resolve(day, new_start, rules.zone, "start")
        if start_at is None:
            return Refusal.NO_SUCH_START
        return Refusal.IN_FUTURE if start_at > now else None
    if new_end is None:
        return Refusal.MISSING_START
    days = [day, day + DAY] if day < date.max else [day]
    end_instants = [end for end_day in days if (end := resolve(end_day, new_end, rules.zone, "end")) is not None]
    if not end_instants:
        return Refusal.NO_SUCH_END
    return Refusal.IN_FUTURE if end_instants[0] > now else None


def shift_asked_for(entries: Iterable[Entry], day: date, entry_id: str | None) -> list[Entry]:
    """Returns the entries of the shift that a request concerns, before its bounds are known: the shift of the named
    entry, else the only shift dated on the day.
    """
    entry_list = list(entries)
    if entry_id is None:
        names = {entry.shift for entry in entry_list if entry.shift_date == day}
    else:
        names = {entry.shift for entry in entry_list if entry.id == entry_id}
    return [entry for entry in entry_list if entry.shift in names] if len(names) == 1 else []


def pauses_in(entries: Sequence[Entry], minutes: int, rules: Rules) -> int | None:
    """Returns the break for a single entry of `minutes` that replaces a shift with gaps between its entries. The gaps
    were no working time, so they become a break. None if the break by rule is already as long.
    """
    end_times = [entry.end_at for entry in entries]
    start_times = [entry.start_at for entry in entries]
    gaps = sum(
        minute_of(start) - minute_of(end)
        for end, start in zip(end_times, start_times[1:], strict=False)
        if end is not None and start is not None and end < start
    )
    by_rule = break_due(minutes, 0, rules.limits) if rules.break_policy == "statutory" else 0
    return gaps if gaps > by_rule else None


class Piece(NamedTuple):
    """A part of an entry."""

    start: datetime
    end: datetime
    minutes: int


def left_out(entries: Iterable[tuple[datetime | None, datetime | None]], new_bounds: Bounds) -> list[Piece]:
    """Returns the pieces of complete entries that lie outside of the new bounds."""
    pieces: list[Piece] = []
    for start, end in entries:
        if start is not None and end is not None:
            for first, last in ((start, min(end, new_bounds.start)), (max(start, new_bounds.end), end)):
                if minute_of(first) < minute_of(last):
                    pieces.append(Piece(first, last, minute_of(last) - minute_of(first)))
    return pieces


def _end(day: date, start: datetime | None, new_start: time, new_end: time, zone: ZoneInfo) -> datetime | None:
    same_day = resolve(day, new_end, zone, "end")
    if new_end > new_start or (start is not None and same_day is not None and same_day > start):
        return same_day
    return resolve(day + DAY, new_end, zone, "end") if day < date.max else None


def settle(
    correction: Correction,
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction],
    voids: Iterable[Void],
    rules: DatedRules,
) -> Correction:
    """Returns the correction with the shift that it concerns, or with None if it creates one. This is fixed at its
    approval.

    The other arguments are the facts in force before it. In the argument `shift` may name any entry of the shift; None
    leaves the choice to date and bounds.
    """
    return _turn(correction, stamps, corrections, voids, rules).settle(correction)


def overlaps(
    correction: Correction,
    stamps: Iterable[Stamp],
    corrections: Iterable[Correction],
    voids: Iterable[Void],
    rules: DatedRules,
) -> bool:
    """Returns whether a settled correction would overlap an entry of another shift than its own.

    The other arguments are the facts in force before it. This is checked at the request, and again at the approval.
    """
    own_drafts, _, drafts = _turn(correction, stamps, corrections, voids, rules).concerned(correction)
    ids = {draft.id for draft in own_drafts}
    replaced = {draft.correction for draft in own_drafts if draft.correction is not None}
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
    """Returns the timeline around a correction with all decisions in force before the correction."""
    earlier_corrections = {earlier.id: earlier for earlier in corrections if earlier.id != correction.id}
    ordered = sorted({stamp.id: stamp for stamp in stamps}.values(), key=order)
    island = next(
        candidate
        for candidate in split(
            ordered, [*earlier_corrections.values(), correction], {void.id: void for void in voids}.values(), rules
        )
        if correction in candidate.decisions
    )
    timeline = Timeline(island.stamps, rules)
    timeline.apply(decision for decision in island.decisions if decision is not correction)
    return timeline
