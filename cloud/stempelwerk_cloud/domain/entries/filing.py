"""By which local day a stamp is filed, where stamps are shown by months: each by exactly one, whatever the month.

A shift is filed whole, by its date: a night is never torn apart where a month ends.
"""

from collections.abc import Iterable
from datetime import date

from stempelwerk_cloud.domain.entries.derivation import Sheet
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.settings import DatedRules


def filed(stamps: Iterable[Stamp], sheet: Sheet, rules: DatedRules) -> dict[str, date]:
    """By stamp the day, of a sheet that was derived from these stamps.

    That of its shift; of a deleted entry's the day on which that began; of one that nothing is left of, its own.
    """
    known: dict[str | None, date] = {}
    for entry in reversed(sheet.entries):
        known |= dict.fromkeys((entry.start_stamp, entry.end_stamp, entry.correction_id), entry.shift_date)

    def day_of(stamp: Stamp) -> date:
        void, correction = sheet.deleted.get(stamp.id), sheet.covered.get(stamp.id)
        if void is not None:
            return local_day(void.start, rules.at(void.start).zone)
        if correction is not None:
            return known.get(correction.id, correction.date)
        found = known.get(sheet.hosts.get(stamp.id, stamp.id))
        return local_day(stamp.at, rules.at(stamp.at).zone) if found is None else found

    return {stamp.id: day_of(stamp) for stamp in stamps}
