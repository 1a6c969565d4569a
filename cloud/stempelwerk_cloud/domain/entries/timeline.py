"""The effect of decisions (corrections and voids) on stamps. They are applied one after the other, in order of
decision.

A correction concerns one shift, as the earlier decisions leave it. It takes the shift's stamps out of the pairing and
puts its own entries in their place. A correction that creates a new shift takes out only the stamps inside its bounds;
an entry that merely touches the bounds remains. A void takes the stamps of an entry out of the pairing and cuts the
entry's interval from older corrections.

A timeline contains one island of facts (see `islands`). It computes no minutes and no flags.
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
    """A correction that has been applied: the stamps that it covers, and its entries as later voids leave them."""

    correction: Correction
    covered: dict[str, Stamp]
    entries: list[Draft]

    @property
    def border(self) -> Border:
        return Border(self.correction.new_end, limit_of(self.correction))


class Concerned(NamedTuple):
    """The changes that a correction would make. `own`: the drafts that it replaces. `covered`: the stamps that it
    covers, by id. `drafts`: all drafts in force before it.
    """

    own: Sequence[Draft]
    covered: dict[str, Stamp]
    drafts: list[Draft]


@dataclass(slots=True)
class Settled:
    """The result for an island of facts: drafts ordered by time, and the stamps that do not count, by id.

    `covered`: by stamp id, the correction that covers the stamp. `deleted`: by stamp id, the void that took it out.
    """

    drafts: list[Draft]
    uncounted: dict[str, Reason]
    covered: dict[str, Correction]
    deleted: dict[str, Void]


@dataclass(slots=True)
class Timeline:
    """The stamps of one island (sorted by `stamps.order`, unique) and the decisions that have been applied to them."""

    stamps: Sequence[Stamp]
    rules: DatedRules
    voided: dict[str, Reason] = field(default_factory=dict)
    deleted: dict[str, Void] = field(default_factory=dict)
    applied: list[AppliedCorrection] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)

    def apply(self, decisions: Iterable[Correction | Void]) -> None:
        """Applies decisions in order of decision. The order of the argument does not matter."""
        ordered = sorted(decisions, key=_turn)
        self.corrections += [decision for decision in ordered if isinstance(decision, Correction)]
        for decision in ordered:
            if isinstance(decision, Void):
                self._void(decision)
            else:
                self._correct(decision)

    def settle_island(self) -> Settled:
        """Returns the drafts and the uncounted stamps after the decisions that have been applied."""
        excluded: dict[str, Reason] = dict.fromkeys(
            (stamp_id for applied in self.applied for stamp_id in applied.covered), "corrected"
        )
        excluded |= self.voided
        pairing = pair(self.stamps, self.rules, excluded, [applied.border for applied in self.applied])
        drafts = [from_pair(stamp_pair) for stamp_pair in pairing.pairs]
        for applied in self.applied:
            drafts += applied.entries
            for draft in applied.entries:
                for stamp in (draft.start, draft.end):
                    if stamp is not None and pairing.uncounted.get(stamp.id) == "corrected":
                        del pairing.uncounted[stamp.id]
        drafts.sort(key=attrgetter("known_at"))  # stable: pairs in their order, then corrections in theirs
        covered = {stamp_id: applied.correction for applied in self.applied for stamp_id in applied.covered}
        return Settled(drafts, pairing.uncounted, covered, self.deleted)

    def settle(self, correction: Correction) -> Correction:
        """Returns the correction with `shift`, `shift_at` and `shift_until` of the shift that it concerns. In the
        argument `shift` may be the id of any entry of that shift.
        """
        shift = self._asked_for(correction, self.settle_island().drafts)
        if not shift:
            return replace(correction, shift=None, shift_at=None, shift_until=None)
        stamps = [stamp for draft in shift for group in self._groups(draft) for stamp in group]
        shift_end = max([*(draft.end_at or draft.known_at for draft in shift), *(stamp.at for stamp in stamps)])
        if stamps:
            first = min(stamps, key=order)
            return replace(correction, shift=first.id, shift_at=first.at, shift_until=shift_end)
        origin = shift[0].correction
        assert origin is not None
        return replace(correction, shift=origin.id, shift_at=origin.new_start, shift_until=shift_end)

    def concerned(self, correction: Correction) -> Concerned:
        """Returns the drafts that a settled correction replaces, the stamps that it covers, and all drafts in force."""
        drafts = self.settle_island().drafts
        shift = self._shift_of(correction, drafts)
        own_drafts = shift or [
            draft for draft in drafts if draft.correction and draft.correction.id == correction.shift
        ]
        limit = limit_of(correction)
        covered: dict[str, Stamp] = {}
        for draft in own_drafts:
            for group in self._groups(draft):
                if group[0].at < limit if shift else _inside(group[0], correction):
                    covered |= {stamp.id: stamp for stamp in group}
        for draft in drafts:
            if draft.correction is None and (not draft.complete or (not shift and overlap([draft], correction))):
                for group in self._groups(draft):
                    if _inside(group[0], correction):
                        covered |= {stamp.id: stamp for stamp in group}
        return Concerned(own_drafts, covered, drafts)

    def _shift_of(self, correction: Correction, drafts: Sequence[Draft]) -> Shift:
        """Returns the shift of a settled correction, without parts of other shifts that late stamps have joined to it.

        Such a part is recognised by a correction of its own. Entries between two parts belong to the earlier one.
        """
        for shift in shifts.group(drafts):
            own_index = next((place for place, draft in enumerate(shift) if self._holds(draft, correction)), None)
            if own_index is None:
                continue
            first, end = 0, len(shift)
            for other_correction in self.corrections:
                place = next((place for place, draft in enumerate(shift) if self._is_of(draft, other_correction)), None)
                if place is None or not _of_another_shift(correction, other_correction):
                    continue
                if _anchor(other_correction) < _anchor(correction):
                    first = own_index
                else:
                    end = min(end, max(place, own_index + 1))
            return [
                draft
                for draft in shift[first:end]
                if not (draft.correction and _of_another_shift(correction, draft.correction))
            ]
        return []

    def _is_of(self, draft: Draft, correction: Correction) -> bool:
        is_its_entry = draft.correction is not None and draft.correction.id == correction.id
        return is_its_entry or self._holds(draft, correction)

    def _asked_for(self, correction: Correction, drafts: Sequence[Draft]) -> Shift:
        """Returns the shift that a correction asks for, or an empty one.

        It is the shift with the named entry, else the only shift dated on the correction's day. If several are dated on
        that day, it is the one that fills most of the new bounds.
        """
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
        own_drafts, covered, _ = self.concerned(correction)
        replaced = {draft.correction.id for draft in own_drafts if draft.correction is not None}
        self.applied = [applied for applied in self.applied if applied.correction.id not in replaced]
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
        for applied in self.applied:
            applied.entries = [piece for draft in applied.entries for piece in _clip(draft, void)]
            for draft in applied.entries:
                draft.start, draft.end = map(self._unless_voided, (draft.start, draft.end))

    def _unless_voided(self, stamp: Stamp | None) -> Stamp | None:
        return None if stamp is not None and stamp.id in self.voided else stamp

    def _find_applied(self, correction: Correction) -> AppliedCorrection:
        return next(applied for applied in self.applied if applied.correction.id == correction.id)

    def _holds(self, draft: Draft, correction: Correction) -> bool:
        """Returns whether the stamp that the correction names as its shift belongs to this draft now."""
        return any(stamp.id == correction.shift for group in self._groups(draft) for stamp in group)

    def _groups(self, draft: Draft) -> Iterator[list[Stamp]]:
        """Yields the counted stamps of a draft, each in a list with the uncounted ones that belong to it. For the draft
        of a correction, yields each covered stamp in a list of its own.
        """
        if draft.correction is not None:
            yield from ([stamp] for stamp in self._find_applied(draft.correction).covered.values())
        else:
            for stamp in (draft.start, draft.end):
                if stamp is not None:
                    yield [stamp, *(absorbed.stamp for absorbed in draft.absorbed if absorbed.host == stamp.id)]


def _turn(decision: Correction | Void) -> tuple[datetime, str]:
    return decision.decided_at, decision.id


def _anchor(correction: Correction) -> datetime:
    """Returns an instant of the shift that the correction concerns or creates."""
    return correction.shift_at or correction.new_start


def _of_another_shift(first_correction: Correction, second_correction: Correction) -> bool:
    """Returns whether two corrections concern different shifts. They do if the shift of the later one, as found when it
    was approved, did not contain the earlier one.
    """
    earlier, later = sorted((first_correction, second_correction), key=_turn)
    if later.shift is None:
        return True
    if later.shift_at is None or later.shift_until is None or later.shift in (earlier.shift, earlier.id):
        return False
    return not later.shift_at <= _anchor(earlier) <= later.shift_until


def limit_of(correction: Correction) -> datetime:
    """Returns the instant before which a correction covers the stamps of its shift: the later one of its request and
    its new end.
    """
    return max(correction.requested_at, correction.new_end)


def cut(correction: Correction, covered: Sequence[Stamp], rules: DatedRules) -> list[Draft]:
    """Returns the entries of a correction, made from its covered stamps, which are sorted.

    If the stamps form complete entries only, these are kept and cut to the new bounds. The first one then begins at the
    new start, and the last one ends at the new end. Otherwise, or if no entry lies inside the bounds, the result is a
    single entry with the new bounds.
    """
    new_start, new_end = correction.new_start, correction.new_end
    pairs = pair(covered, rules).pairs
    pieces: list[tuple[datetime, datetime, Stamp | None, Stamp | None]] = []
    if all(stamp_pair.complete for stamp_pair in pairs):
        for stamp_pair in pairs:
            assert stamp_pair.start is not None
            assert stamp_pair.end is not None
            start_at, end_at = max(stamp_pair.start.at, new_start), min(stamp_pair.end.at, new_end)
            if start_at < end_at:
                pieces.append((start_at, end_at, stamp_pair.start, stamp_pair.end))
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
    """Returns what a later void leaves of a correction's entry: nothing, the entry itself, or the parts before and
    after the void.
    """
    assert draft.start_at is not None
    assert draft.end_at is not None
    if void.start == void.end or void.end <= draft.start_at or draft.end_at <= void.start:
        return [draft]
    remaining: list[Draft] = []
    if draft.start_at < void.start:
        front = Draft(draft.id, draft.start_at, void.start, draft.rules, draft.correction)
        front.start = draft.start
        remaining.append(front)
    if void.end < draft.end_at:
        # One entry in two pieces needs a second id that every derivation agrees on.
        name = str(uuid5(NAMESPACE_OID, f"{draft.id} {void.id}")) if remaining else draft.id
        back = Draft(name, void.end, draft.end_at, draft.rules, draft.correction)
        back.end = draft.end
        remaining.append(back)
    return remaining


def _names(draft: Draft) -> set[str]:
    """Returns the ids that a request can use for the draft's entry, other than those of its stamps."""
    return {draft.id} | ({draft.correction.id} if draft.correction else set())


def overlap(drafts: Sequence[Draft], correction: Correction) -> float:
    """Returns how many seconds of the correction's new bounds these drafts fill, from the first begin to the last end.
    Drafts are in order; merely touching the bounds counts as 0.
    """
    first = drafts[0].known_at
    last = max(draft.end_at or draft.known_at for draft in drafts)
    return max((min(last, correction.new_end) - max(first, correction.new_start)).total_seconds(), 0.0)


def _inside(stamp: Stamp, correction: Correction) -> bool:
    return correction.new_start <= stamp.at <= correction.new_end
