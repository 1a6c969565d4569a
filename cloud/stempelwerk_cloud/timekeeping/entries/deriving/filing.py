"""The local days under which a person's stamps are listed, for views by month (`domain/entries/filing.py`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.entries.filing import filing_days
from stempelwerk_cloud.domain.instants import DAY, MILLISECOND, day_end, day_start, local_day, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.timekeeping.entries.deriving.derivation import ALWAYS
from stempelwerk_cloud.timekeeping.entries.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.entries.deriving.surroundings import around
from stempelwerk_cloud.timekeeping.tx import Tx

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
