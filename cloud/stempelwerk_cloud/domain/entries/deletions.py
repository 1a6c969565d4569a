"""The deletion of time entries: the void that records it, and when a deletion is impossible.

The caller decides whether employees may delete entries, and who is notified.
"""

from collections.abc import Iterable
from datetime import datetime

from stempelwerk_cloud.domain.entries.derivation import Entry, Sheet, view
from stempelwerk_cloud.domain.entries.facts import Void
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.settings import DatedRules


def may_delete(entry: Entry, now: datetime, rules: DatedRules) -> bool:
    """Returns whether the entry can be deleted. A running entry cannot."""
    return not view(entry, now, rules).running


def void_of(
    entry: Entry,
    sheet: Sheet,
    stamps: Iterable[Stamp],
    rules: DatedRules,
    *,
    void_id: str,
    decided_at: datetime,
) -> Void:
    """Returns the void that deletes an entry of a sheet. `stamps`: those that gave the sheet.

    The void names the entry's stamps, the uncounted ones that belong to them, and all other uncounted stamps inside the
    entry. Stamps inside that count for other entries are spared. A stamp that waits because it arrived late in another
    deleted entry continues to wait.
    """
    own_stamps = {entry.start_stamp, entry.end_stamp} - {None}
    counted_elsewhere = (
        {stamp_id for other_entry in sheet.entries for stamp_id in (other_entry.start_stamp, other_entry.end_stamp)}
        - own_stamps
        - {None}
    )
    window = rules.at(entry.known_at).double_tap
    start = entry.known_at
    end = entry.end_at or start
    named_stamps: set[str] = set()
    spared: set[str] = set()
    for stamp in stamps:
        if sheet.uncounted.get(stamp.id) == "voided_late":
            continue
        if stamp.id in own_stamps or sheet.hosts.get(stamp.id) in own_stamps:
            named_stamps.add(stamp.id)
        elif start - stamp.at <= window and stamp.at - end <= window:
            (
                spared
                if stamp.id in counted_elsewhere or sheet.hosts.get(stamp.id) in counted_elsewhere
                else named_stamps
            ).add(stamp.id)
    return Void(void_id, start, end, decided_at, frozenset(named_stamps), frozenset(spared))
