"""Validation of corrections: reads the person's facts around a correction, and asks the domain whether it is valid."""

from dataclasses import dataclass
from datetime import date, datetime, time

from stempelwerk_cloud.domain.entries.corrections import (
    Refusal,
    bounds,
    half_refused,
    overlaps,
    settle,
    shift_asked_for,
)
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.domain.instants import DAY, MILLISECOND, day_end, day_start, local, ms_of
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.surroundings import Surroundings, around
from stempelwerk_cloud.timekeeping.tx import Tx


@dataclass(frozen=True, slots=True)
class Wish:
    """A requested correction; `start` and `end` in local minutes since midnight. `entry_at` is an instant of the named
    entry.
    """

    date: date
    start: int | None
    end: int | None
    break_minutes: int | None = None
    entry_id: str | None = None
    entry_at: datetime | None = None


def facts_for(
    tx: Tx, inputs: DerivationInputs, user_id: str, day: date, entry_at: datetime | None = None
) -> Surroundings:
    """Reads the person's facts and entries that a correction for the day can affect; the correction may end on the next
    day.
    """
    zone = inputs.rules.on(day).zone
    first, last = day_start(day, zone), day_end(day + DAY if day < date.max else day, zone)
    reference = entry_at or first
    return around(tx, inputs, user_id, (ms_of(min(first, reference)), ms_of(max(last, reference))))


def correction_of(
    wish: Wish, facts: Surroundings, *, id_: str, requested_at: datetime | None, now: datetime
) -> Correction | Refusal:
    """Returns the correction that an approval at `now` would store, or the reason of a refusal.

    `requested_at`: it covers stamps up to this instant; None: up to its own end.
    """
    span = bounds(wish.date, time_of(wish.start), time_of(wish.end), facts.rules.on(wish.date), now, wish.break_minutes)
    if isinstance(span, Refusal):
        return span
    correction = Correction(
        id_,
        wish.date,
        span.start,
        span.end,
        wish.break_minutes,
        requested_at or span.end,
        decided_at(facts, now),
        wish.entry_id,
        wish.entry_at,
    )
    known_facts = (facts.stamps, facts.corrections, facts.voids, facts.rules)
    correction = settle(correction, *known_facts)
    return Refusal.OVERLAP if overlaps(correction, *known_facts) else correction


def request_refused(wish: Wish, facts: Surroundings, now: datetime) -> Refusal | None:
    """Returns why no administrator could approve the request; None if it can be approved.

    A start or end that it lacks is taken from the shift which it concerns, if that is known.
    """
    start, end = _completed(wish, facts)
    if start is None or end is None:
        return half_refused(wish.date, time_of(wish.start), time_of(wish.end), facts.rules.on(wish.date), now)
    completed = Wish(wish.date, start, end, wish.break_minutes, wish.entry_id, wish.entry_at)
    correction = correction_of(completed, facts, id_="", requested_at=now, now=now)
    return correction if isinstance(correction, Refusal) else None


def decided_at(facts: Surroundings, now: datetime) -> datetime:
    """Returns the instant of a new decision: `now`, or a millisecond after the newest earlier decision if that is
    later.

    Decisions take effect in the order of their instants, and the person who decides has seen the earlier ones.
    """
    decision_times = [decision.decided_at for decision in facts.corrections] + [
        decision.decided_at for decision in facts.voids
    ]
    return max([now, *(instant + MILLISECOND for instant in decision_times)])


def time_of(minute: int | None) -> time | None:
    return None if minute is None else time(minute // 60, minute % 60)


def minute_of_day(instant: datetime | None, facts: Surroundings) -> int | None:
    """Returns the instant as local minutes since midnight."""
    if instant is None:
        return None
    local_time = local(instant, facts.rules.at(instant).zone)
    return local_time.hour * 60 + local_time.minute


def _completed(wish: Wish, facts: Surroundings) -> tuple[int | None, int | None]:
    if wish.start is not None and wish.end is not None:
        return wish.start, wish.end
    shift = shift_asked_for(facts.sheet.entries, wish.date, wish.entry_id)
    if not shift or shift[0].date != wish.date:
        return wish.start, wish.end
    start = minute_of_day(shift[0].start_at, facts) if wish.start is None else wish.start
    end = minute_of_day(shift[-1].end_at, facts) if wish.end is None else wish.end
    return start, end
