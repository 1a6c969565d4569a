"""Stamps and decisions to drafts: how corrections and voids act, one after the other in the order they were decided.

A correction concerns one shift of what stands at its turn, takes that shift's stamps out of the pairing and puts its
own entries in their place. One that makes its shift takes out the stamps inside its bounds and no others; an entry that
only touches them is left alone. A void takes an entry's stamps out and cuts its interval from older corrections. It
sees one island of facts (see `islands`) and makes no minutes and no flags.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple
from uuid import NAMESPACE_OID, uuid5

from stempelwerk_cloud.domain.entries import shifts
from stempelwerk_cloud.domain.entries.drafts import Draft, from_pair
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.pairing import Border, pair
from stempelwerk_cloud.domain.entries.shifts import Shift
from stempelwerk_cloud.domain.entries.stamps import Reason, Stamp, order
from stempelwerk_cloud.domain.settings import DatedRules


@dataclass(slots=True)
class AppliedCorrection:
    """A correction that holds: the stamps it covers and what is left of its entries after later voids."""

    correction: Correction
    covered: dict[str, Stamp]
    entries: list[Draft]

    @property
    def border(self) -> Border:
        return Border(self.correction.new_end, limit_of(self.correction))


class Concerned(NamedTuple):
    """What a correction takes the place of (`own`), the stamps it covers, and all drafts that stand before it."""

    own: Sequence[Draft]
    covered: dict[str, Stamp]
    drafts: list[Draft]


@dataclass(slots=True)
class Settled:
    """What an island of facts comes to: drafts in order of time, and the stamps that do not count.

    `covered`: by stamp, the correction that concerns it; `deleted`: the void that took it out.
    """

    drafts: list[Draft]
    uncounted: dict[str, Reason]
    covered: dict[str, Correction]
    deleted: dict[str, Void]


@dataclass(slots=True)
class Timeline:
    """One island's stamps (sorted by `stamps.order`, unique) with the decisions applied so far."""

    stamps: Sequence[Stamp]
    rules: DatedRules
    voided: dict[str, Reason] = field(default_factory=dict)
    deleted: dict[str, Void] = field(default_factory=dict)
    applied: list[AppliedCorrection] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)

    def apply(self, decisions: Iterable[Correction | Void]) -> None:
        """Apply decisions in the order in which they were made, whatever the order they come in."""
        ordered = sorted(decisions, key=_turn)
        self.corrections += [one for one in ordered if isinstance(one, Correction)]
        for decision in ordered:
            if isinstance(decision, Void):
                self._void(decision)
            else:
                self._correct(decision)

    def settled(self) -> Settled:
        """What stands now."""
        gone: dict[str, Reason] = dict.fromkeys(
            (stamp_id for one in self.applied for stamp_id in one.covered), "corrected"
        )
        gone |= self.voided
        pairing = pair(self.stamps, self.rules, gone, [one.border for one in self.applied])
        drafts = [from_pair(one) for one in pairing.pairs]
        for one in self.applied:
            drafts += one.entries
            for draft in one.entries:
                for stamp in (draft.start, draft.end):
                    if stamp is not None and pairing.uncounted.get(stamp.id) == "corrected":
                        del pairing.uncounted[stamp.id]
        drafts.sort(key=attrgetter("known_at"))  # stable: pairs in their order, then corrections in theirs
        covered = {stamp_id: one.correction for one in self.applied for stamp_id in one.covered}
        return Settled(drafts, pairing.uncounted, covered, self.deleted)

    def settle(self, correction: Correction) -> Correction:
        """The correction with the shift that it concerns among what stands; its `shift` may name any entry of that."""
        shift = self._asked_for(correction, self.settled().drafts)
        if not shift:
            return replace(correction, shift=None, shift_at=None, shift_until=None)
        stamps = [stamp for draft in shift for group in self._groups(draft) for stamp in group]
        until = max([*(draft.end_at or draft.known_at for draft in shift), *(stamp.at for stamp in stamps)])
        if stamps:
            first = min(stamps, key=order)
            return replace(correction, shift=first.id, shift_at=first.at, shift_until=until)
        made = shift[0].correction
        assert made is not None
        return replace(correction, shift=made.id, shift_at=made.new_start, shift_until=until)

    def concerned(self, correction: Correction) -> Concerned:
        """What a settled correction takes the place of and the stamps that it covers, among all drafts that stand."""
        drafts = self.settled().drafts
        shift = self._shift_of(correction, drafts)
        own = shift or [draft for draft in drafts if draft.correction and draft.correction.id == correction.shift]
        limit = limit_of(correction)
        covered: dict[str, Stamp] = {}
        for draft in own:
            for group in self._groups(draft):
                if group[0].at < limit if shift else _inside(group[0], correction):
                    covered |= {stamp.id: stamp for stamp in group}
        for draft in drafts:
            if draft.correction is None and (not draft.complete or (not shift and overlap([draft], correction))):
                for group in self._groups(draft):
                    if _inside(group[0], correction):
                        covered |= {stamp.id: stamp for stamp in group}
        return Concerned(own, covered, drafts)

    def _shift_of(self, correction: Correction, drafts: Sequence[Draft]) -> Shift:
        """The shift that a settled correction keeps to, without what late stamps have joined to it of other shifts.

        Those are the ones that have corrections of their own. What lies between two of them is the former's.
        """
        for shift in shifts.group(drafts):
            own = next((place for place, draft in enumerate(shift) if self._holds(draft, correction)), None)
            if own is None:
                continue
            first, end = 0, len(shift)
            for other in self.corrections:
                place = next((place for place, draft in enumerate(shift) if self._is_of(draft, other)), None)
                if place is None or not _of_another_shift(correction, other):
                    continue
                if _anchor(other) < _anchor(correction):
                    first = own
                else:
                    end = min(end, max(place, own + 1))
            return [
                one
                for one in shift[first:end]
                if not (one.correction and _of_another_shift(correction, one.correction))
            ]
        return []

    def _is_of(self, draft: Draft, correction: Correction) -> bool:
        made = draft.correction is not None and draft.correction.id == correction.id
        return made or self._holds(draft, correction)

    def _asked_for(self, correction: Correction, drafts: Sequence[Draft]) -> Shift:
        """The shift of the entry that is named; else the only one dated on the day; else that of several which the new
        bounds overlap most; else none."""
        grouped = shifts.group(drafts)
        for shift in grouped:
            if any(correction.shift in _names(draft) or self._holds(draft, correction) for draft in shift):
                return shift
        dated = [shift for shift in grouped if shifts.date_of(shift) == correction.date]
        if len(dated) == 1:
            return dated[0]
        best = max(dated, key=lambda shift: overlap(shift, correction), default=[])
        return best if best and overlap(best, correction) else []

    def _correct(self, correction: Correction) -> None:
        own, covered, _ = self.concerned(correction)
        replaced = {draft.correction.id for draft in own if draft.correction is not None}
        self.applied = [one for one in self.applied if one.correction.id not in replaced]
        counting = [stamp for key, stamp in covered.items() if key not in self.voided]
        entries = cut(correction, sorted(counting, key=order), self.rules)
        self.applied.append(AppliedCorrection(correction, covered, entries))

    def _void(self, void: Void) -> None:
        window = self.rules.at(void.start).double_tap
        for stamp in self.stamps:
            if stamp.id in void.stamp_ids:
                if self.voided.get(stamp.id) != "voided":
                    self.deleted[stamp.id] = void
                self.voided[stamp.id] = "voided"
            elif (
                not stamp.booked
                and stamp.id not in void.spared
                and stamp.id not in self.voided
                and void.start - stamp.at <= window
                and stamp.at - void.end <= window
            ):
                self.voided[stamp.id] = "voided_late"
                self.deleted[stamp.id] = void
        for one in self.applied:
            one.entries = [piece for draft in one.entries for piece in _clip(draft, void)]
            for draft in one.entries:
                draft.start, draft.end = map(self._unless_voided, (draft.start, draft.end))

    def _unless_voided(self, stamp: Stamp | None) -> Stamp | None:
        return None if stamp is not None and stamp.id in self.voided else stamp

    def _of(self, correction: Correction) -> AppliedCorrection:
        return next(one for one in self.applied if one.correction.id == correction.id)

    def _holds(self, draft: Draft, correction: Correction) -> bool:
        """Whether the stamp that a correction names belongs to this draft now."""
        return any(stamp.id == correction.shift for group in self._groups(draft) for stamp in group)

    def _groups(self, draft: Draft) -> Iterator[list[Stamp]]:
        """A draft's stamps, each with the uncounted ones that belong to it; or those that its correction covers."""
        if draft.correction is not None:
            yield from ([stamp] for stamp in self._of(draft.correction).covered.values())
        else:
            for stamp in (draft.start, draft.end):
                if stamp is not None:
                    yield [stamp, *(one.stamp for one in draft.absorbed if one.host == stamp.id)]


def _turn(decision: Correction | Void) -> tuple[datetime, str]:
    return decision.decided_at, decision.id


def _anchor(correction: Correction) -> datetime:
    """An instant of the shift that it concerns or makes."""
    return correction.shift_at or correction.new_start


def _of_another_shift(one: Correction, other: Correction) -> bool:
    """Whether two corrections were about different shifts: whichever was settled last did not find the other in its."""
    earlier, later = sorted((one, other), key=_turn)
    if later.shift is None:
        return True
    if later.shift_at is None or later.shift_until is None or later.shift in (earlier.shift, earlier.id):
        return False
    return not later.shift_at <= _anchor(earlier) <= later.shift_until


def limit_of(correction: Correction) -> datetime:
    """The later of the request and the new end: the shift's stamps before it are covered."""
    return max(correction.requested_at, correction.new_end)


def cut(correction: Correction, covered: Sequence[Stamp], rules: DatedRules) -> list[Draft]:
    """The entries of a correction whose covered stamps these are, sorted.

    Complete entries only: they stay, cut to the bounds, the first from newStart and the last to newEnd. Otherwise,
    and when none of them lies inside the bounds, one entry newStart–newEnd.
    """
    new_start, new_end = correction.new_start, correction.new_end
    pairs = pair(covered, rules).pairs
    pieces: list[tuple[datetime, datetime, Stamp | None, Stamp | None]] = []
    if all(one.complete for one in pairs):
        for one in pairs:
            assert one.start is not None
            assert one.end is not None
            start_at, end_at = max(one.start.at, new_start), min(one.end.at, new_end)
            if start_at < end_at:
                pieces.append((start_at, end_at, one.start, one.end))
    if not pieces:
        return [Draft(correction.id, new_start, new_end, rules.at(new_start), correction)]
    pieces[0] = (new_start, *pieces[0][1:])
    pieces[-1] = (pieces[-1][0], new_end, *pieces[-1][2:])
    return [_piece(correction, *piece, rules) for piece in pieces]


def _piece(
    correction: Correction,
    start_at: datetime,
    end_at: datetime,
    start: Stamp | None,
    end: Stamp | None,
    rules: DatedRules,
) -> Draft:
    assert start is not None
    draft = Draft(start.id, start_at, end_at, rules.at(start_at), correction)
    draft.start, draft.end = start, end
    return draft


def _clip(draft: Draft, void: Void) -> list[Draft]:
    """What a later void leaves of a correction's entry: nothing, itself, or what lies before and after."""
    assert draft.start_at is not None
    assert draft.end_at is not None
    if void.start == void.end or void.end <= draft.start_at or draft.end_at <= void.start:
        return [draft]
    kept: list[Draft] = []
    if draft.start_at < void.start:
        before = Draft(draft.id, draft.start_at, void.start, draft.rules, draft.correction)
        before.start = draft.start
        kept.append(before)
    if void.end < draft.end_at:
        # One entry in two pieces needs a second id that every derivation agrees on.
        name = str(uuid5(NAMESPACE_OID, f"{draft.id} {void.id}")) if kept else draft.id
        after = Draft(name, void.end, draft.end_at, draft.rules, draft.correction)
        after.end = draft.end
        kept.append(after)
    return kept


def _names(draft: Draft) -> set[str]:
    """By what an entry may be called besides its stamps."""
    return {draft.id} | ({draft.correction.id} if draft.correction else set())


def overlap(drafts: Sequence[Draft], correction: Correction) -> float:
    """How much of the new bounds these drafts, in order, fill, in seconds; what only touches them does not."""
    first = drafts[0].known_at
    last = max(draft.end_at or draft.known_at for draft in drafts)
    return max((min(last, correction.new_end) - max(first, correction.new_start)).total_seconds(), 0.0)


def _inside(stamp: Stamp, correction: Correction) -> bool:
    return correction.new_start <= stamp.at <= correction.new_end
