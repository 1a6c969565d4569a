"""Deleting an entry: what becomes of it as a fact, and when it cannot be.

Whether the company lets its people delete, and who is told, is decided by the caller.
"""

from collections.abc import Iterable
from datetime import datetime

from stempelwerk_cloud.domain.entries.derivation import Entry, Sheet, view
from stempelwerk_cloud.domain.entries.facts import Void
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.settings import DatedRules


def may_delete(entry: Entry, now: datetime, rules: DatedRules) -> bool:
    """A running entry cannot be deleted."""
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
    """The void that deletes an entry of a sheet derived from these stamps (of its window, or of all).

    It names the entry's stamps, the uncounted ones that belong to them and whatever uncounted lies inside; stamps
    inside that count for other entries are spared. One that came late into another deletion waits on.
    """
    own = {entry.start_stamp, entry.end_stamp} - {None}
    counted = {stamp_id for one in sheet.entries for stamp_id in (one.start_stamp, one.end_stamp)} - own - {None}
    window = rules.at(entry.known_at).double_tap
    start = entry.known_at
    end = entry.end_at or start
    named: set[str] = set()
    spared: set[str] = set()
    for stamp in stamps:
        if sheet.uncounted.get(stamp.id) == "voided_late":
            continue
        if stamp.id in own or sheet.hosts.get(stamp.id) in own:
            named.add(stamp.id)
        elif start - stamp.at <= window and stamp.at - end <= window:
            (spared if stamp.id in counted or sheet.hosts.get(stamp.id) in counted else named).add(stamp.id)
    return Void(void_id, start, end, decided_at, frozenset(named), frozenset(spared))
