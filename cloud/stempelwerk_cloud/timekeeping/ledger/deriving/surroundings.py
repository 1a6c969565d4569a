"""The facts and entries of a person around some instants, to validate a decision before it is made.

It also gives the local days under which a person's stamps are listed by month (`domain/entries/filing.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.entries.derivation import Sheet, derive
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.filing import filing_days
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import DAY, MILLISECOND, day_end, day_start, local_day, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.timekeeping.ledger.decisions import Decisions, decisions_of
from stempelwerk_cloud.timekeeping.ledger.deriving import queries
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation import ALWAYS, Change, affected, read, wider
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import stamp_of
from stempelwerk_cloud.timekeeping.ledger.deriving.stretch import REACHES_MS, Stretch
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
    streams = queries.streams(tx, {row.stream_no for row in rows})
    stamps = tuple(stamp_of(row, streams[row.stream_no]) for row in rows)
    rules = inputs.rules_for(user_id)
    sheet = derive(stamps, inside.corrections, inside.voids, rules)
    return Surroundings(stamps, inside.corrections, inside.voids, rules, sheet)


_UTC = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True)
class Filing:
    """The day of each stamp from `start` to before `end`. That includes all stamps of the requested days."""

    start: datetime
    end: datetime
    days: Mapping[str, date]
    rules: DatedRules

    def day_of(self, stamp_id: str, instant: datetime) -> date:
        """Returns the day under which a stamp is listed; for a discarded stamp the local day of its own time."""
        return self.days.get(stamp_id) or self.day_at(instant)

    def day_at(self, instant: datetime) -> date:
        """Returns the local day of an instant, in the zone valid then."""
        return local_day(instant, self.rules.at(instant).zone)


def filing_of(tx: Tx, inputs: DerivationInputs, user_id: str, first: date, last: date) -> Filing:
    """Returns the days of the person's stamps from `first` to `last`, both included, in any zone."""
    low = day_start(max(first, date.min + DAY) - DAY, _UTC)
    high = day_end(min(last, date.max - DAY) + DAY, _UTC)
    facts = around(tx, inputs, user_id, (ms_of(low), ms_of(high)))
    stamp_ids = {stamp.id for stamp in facts.stamps}
    if any(low <= void.start < high and not void.stamp_ids <= stamp_ids for void in facts.voids):
        facts = around(tx, inputs, user_id, ALWAYS)  # stamps of entries deleted then have another time now
    times = [stamp.at for stamp in facts.stamps]
    days = filing_days(facts.stamps, facts.sheet, facts.rules)
    return Filing(min([low, *times]), max([high, *(instant + MILLISECOND for instant in times)]), days, facts.rules)
