"""The local day when a stamp appears in lists by month. Each stamp has exactly one such day.

All stamps of a shift have the date of the shift, so the end of a month never splits a night.
"""

from collections.abc import Iterable
from datetime import date

from stempelwerk_cloud.domain.entries.derivation import Sheet
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.settings import DatedRules


def filing_days(stamps: Iterable[Stamp], sheet: Sheet, rules: DatedRules) -> dict[str, date]:
    """Returns the day of each stamp by stamp id. `sheet` was derived from these stamps.

    It is the day of the stamp's shift; for a deleted entry the day when the entry began; else the stamp's own day.
    """
    day_by_owner: dict[str | None, date] = {}
    for entry in reversed(sheet.entries):
        day_by_owner |= dict.fromkeys((entry.start_stamp, entry.end_stamp, entry.correction_id), entry.shift_date)

    def day_of(stamp: Stamp) -> date:
        void, correction = sheet.deleted.get(stamp.id), sheet.covered.get(stamp.id)
        if void is not None:
            return local_day(void.start, rules.at(void.start).zone)
        if correction is not None:
            return day_by_owner.get(correction.id, correction.date)
        filing_day = day_by_owner.get(sheet.hosts.get(stamp.id, stamp.id))
        return local_day(stamp.at, rules.at(stamp.at).zone) if filing_day is None else filing_day

    return {stamp.id: day_of(stamp) for stamp in stamps}
