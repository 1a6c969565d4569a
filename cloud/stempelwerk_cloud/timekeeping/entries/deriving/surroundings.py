"""The facts and entries of a person around some instants, for validating a decision before it is made."""

from dataclasses import dataclass

from stempelwerk_cloud.domain.entries.derivation import Sheet, derive
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.timekeeping.decisions.service import Decisions, decisions_of
from stempelwerk_cloud.timekeeping.entries import repository
from stempelwerk_cloud.timekeeping.entries.deriving.derivation import Change, affected, read, wider
from stempelwerk_cloud.timekeeping.entries.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.entries.deriving.rows import stamp_of
from stempelwerk_cloud.timekeeping.entries.deriving.stretch import REACHES_MS, Stretch
from stempelwerk_cloud.timekeeping.status_bits import DISCARDED
from stempelwerk_cloud.timekeeping.tx import Tx


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The stamps and corrections of an independent stretch, all voids of the person, and the entries
    derived from them.
    """

    stamps: tuple[Stamp, ...]
    corrections: tuple[Correction, ...]
    voids: tuple[Void, ...]
    rules: DatedRules
    sheet: Sheet


def around(tx: Tx, inputs: DerivationInputs, user_id: str, change: Change) -> Surroundings:
    """Reads the independent stretch around the two instants (ms) of `change`. The caller holds the lock on the
    company's rules.
    """
    (person,) = affected(tx, inputs, {user_id: change})
    decided = user_id in inputs.decided
    decisions = decisions_of(tx.session, inputs.company_id, user_id) if decided else Decisions()
    stretch: Stretch | None = None
    for reach in REACHES_MS:
        read(tx, inputs, [person], reach)
        counting = [row for row in person.stamps if not row.status & DISCARDED]
        stretch, inside = wider(inputs, decisions, counting, person)
        if stretch is not None:
            break
    assert stretch is not None  # the last reach has no bounds
    rows = counting[stretch.first : stretch.last]
    streams = repository.streams(tx, {row.stream_no for row in rows})
    stamps = tuple(stamp_of(row, streams[row.stream_no]) for row in rows)
    rules = inputs.rules_for(user_id)
    sheet = derive(stamps, inside.corrections, inside.voids, rules)
    return Surroundings(stamps, inside.corrections, inside.voids, rules, sheet)
