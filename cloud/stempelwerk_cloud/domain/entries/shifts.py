"""Entries to shifts: what lies less than 5 hours apart is one shift, and breaks and limits are judged by it.

Everything is measured in absolute minutes, so a break after midnight is a break. An incomplete entry counts with its
one known time for the distance, and not at all for minutes and breaks.

Readings where the rules are silent (docs/decisions/0002-time-rules.md): distances are differences of truncated minutes;
`over_10_h` and `missing_break` stand on the shift's last complete entry, `short_rest` on the first entry of the later
shift; the break policy and the limits are those at the shift's beginning.
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
    """The shifts of drafts that are in order of time."""
    shifts: list[Shift] = []
    until = 0
    for draft in drafts:
        if shifts and draft.first - until < SHIFT_GAP_MINUTES:
            shifts[-1].append(draft)
            until = max(until, draft.last)
        else:
            shifts.append([draft])
            until = draft.last
    return shifts


def date_of(shift: Shift) -> date:
    """The local date of a shift's first start; of its first known time where no start is known."""
    first = next((draft for draft in shift if draft.start_at is not None), shift[0])
    return local_day(first.known_at, first.rules.zone)


def judge(shifts: Sequence[Shift], until: int | None = None) -> None:
    """Set minutes, breaks and the flags that concern shifts on every draft.

    `until`: when the shift before the first of these ended, in minutes since 1970.
    """
    for shift in shifts:
        rules = shift[0].rules
        if until is not None and shift[0].first - until < rules.limits.rest_minutes:
            shift[0].flags.add(flags.SHORT_REST)
        complete = [draft for draft in shift if draft.complete]
        if complete:
            worked, taken = _pay(complete, rules.limits)
            deducted = _deduct(complete, worked, taken)
            if worked - deducted > rules.limits.shift_minutes:
                complete[-1].flags.add(flags.OVER_10_H)
        until = max(draft.last for draft in shift)


def _pay(complete: Shift, limits: Limits) -> tuple[int, int]:
    """Raw minutes of each entry, what overlaps paid once; answers the shift's raw minutes and breaks taken."""
    worked = taken = 0
    before: Draft | None = None
    for draft in complete:
        first = draft.first
        if before is not None:
            gap = first - before.last
            if gap >= limits.piece_minutes:
                taken += gap
            elif gap < 0:
                before.flags.add(flags.OVERLAP)
                draft.flags.add(flags.OVERLAP)
                first = min(before.last, draft.last)
        draft.raw = draft.last - first
        worked += draft.raw
        if before is None or draft.last > before.last:
            before = draft
    return worked, taken


def _deduct(complete: Shift, worked: int, taken: int) -> int:
    """Put the break that is deducted on the last entry, what that is too short for on those before it; answers it."""
    rules = complete[0].rules
    decided = {draft.correction.id: draft.correction.break_minutes for draft in complete if draft.correction}
    contested = [minutes for minutes in decided.values() if minutes is not None]
    deduction = min(sum(contested), worked)
    missing = break_due(worked - deduction, taken + deduction, rules.limits)
    wholly_decided = bool(contested) and all(
        draft.correction and draft.correction.break_minutes is not None for draft in complete
    )
    if missing and (rules.break_policy == "none" or wholly_decided):
        complete[-1].flags.add(flags.MISSING_BREAK)
    elif missing:
        deduction += missing
    left = deduction
    for draft in reversed(complete):
        if not left:
            break
        draft.break_minutes = min(left, draft.raw)
        left -= draft.break_minutes
    return deduction
