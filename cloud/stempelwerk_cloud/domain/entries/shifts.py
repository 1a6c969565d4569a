"""The grouping of entries into shifts: entries less than 5 hours apart form a shift; breaks and limits apply to it.

All times are absolute minutes, so a break after midnight is a break. An incomplete entry counts with its one known time
for the distance, and not at all for minutes and breaks.

Decisions for cases that the rules leave open (docs/decisions/0002-time-rules.md): distances are differences of
truncated minutes. The flags `over_10_h` and `missing_break` are on the last complete entry of a shift, `short_rest` on
the first entry of the later shift. The break policy and the limits are those in force at the shift's beginning.
"""

from collections.abc import Sequence
from datetime import date

from stempelwerk_cloud.domain.entries import flags
from stempelwerk_cloud.domain.entries.drafts import Draft
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.settings import SHIFT_GAP_MINUTES
from stempelwerk_cloud.domain.working_time_act import Limits, break_due

Shift = list[Draft]


def group(drafts: Sequence[Draft]) -> list[Shift]:
    """Groups drafts, which are in order of time, into shifts."""
    shifts: list[Shift] = []
    last_end = 0
    for draft in drafts:
        if shifts and draft.first - last_end < SHIFT_GAP_MINUTES:
            shifts[-1].append(draft)
            last_end = max(last_end, draft.last)
        else:
            shifts.append([draft])
            last_end = draft.last
    return shifts


def date_of(shift: Shift) -> date:
    """Returns the local date of a shift's first start, or of its first known time if no start is known."""
    first = next((draft for draft in shift if draft.start_at is not None), shift[0])
    return local_day(first.known_at, first.rules.zone)


def judge(shifts: Sequence[Shift], previous_end: int | None = None) -> None:
    """Sets the minutes, the breaks and the flags about shifts on all drafts. `previous_end`: the end of the shift
    before the first one, in minutes since 1970; it determines the rest before that.
    """
    for shift in shifts:
        rules = shift[0].rules
        if previous_end is not None and shift[0].first - previous_end < rules.limits.rest_minutes:
            shift[0].flags.add(flags.SHORT_REST)
        complete = [draft for draft in shift if draft.complete]
        if complete:
            worked, break_taken = _pay(complete, rules.limits)
            deducted = _deduct(complete, worked, break_taken)
            if worked - deducted > rules.limits.shift_minutes:
                complete[-1].flags.add(flags.OVER_10_H)
        previous_end = max(draft.last for draft in shift)


def _pay(complete: Shift, limits: Limits) -> tuple[int, int]:
    """Sets the raw minutes of each complete entry of a shift; overlapping time counts once. Returns the raw minutes of
    the shift and the minutes of breaks taken.
    """
    worked = break_taken = 0
    previous: Draft | None = None
    for draft in complete:
        first = draft.first
        if previous is not None:
            gap = first - previous.last
            if gap >= limits.piece_minutes:
                break_taken += gap
            elif gap < 0:
                previous.flags.add(flags.OVERLAP)
                draft.flags.add(flags.OVERLAP)
                first = min(previous.last, draft.last)
        draft.raw = draft.last - first
        worked += draft.raw
        if previous is None or draft.last > previous.last:
            previous = draft
    return worked, break_taken


def _deduct(complete: Shift, worked: int, break_taken: int) -> int:
    """Distributes the break to be deducted over the entries of the shift, beginning with the last one. Returns its
    minutes.
    """
    rules = complete[0].rules
    decided = {draft.correction.id: draft.correction.break_minutes for draft in complete if draft.correction}
    contested = [minutes for minutes in decided.values() if minutes is not None]
    deduction = min(sum(contested), worked)
    missing = break_due(worked - deduction, break_taken + deduction, rules.limits)
    wholly_decided = bool(contested) and all(
        draft.correction and draft.correction.break_minutes is not None for draft in complete
    )
    if missing and (rules.break_policy == "none" or wholly_decided):
        complete[-1].flags.add(flags.MISSING_BREAK)
    elif missing:
        deduction += missing
    undistributed = deduction
    for draft in reversed(complete):
        if not undistributed:
            break
        draft.break_minutes = min(undistributed, draft.raw)
        undistributed -= draft.break_minutes
    return deduction
