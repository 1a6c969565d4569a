"""The interface of stamps for other rooms: intake of deliveries, and people's own stamps (`own_stamps`, `stamps_of`).

Administrators' actions on held stamps are in `held.py`.
"""

import hashlib
from collections.abc import Sequence

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.kit.database.upsert import upsert
from stempelwerk_cloud.timekeeping.ledger.intake import figures
from stempelwerk_cloud.timekeeping.ledger.intake.intake import Delivered, Taken, recall, receive
from stempelwerk_cloud.timekeeping.ledger.placing.facts import FACTS, DeviceFacts, FactsRequest, spans_of
from stempelwerk_cloud.timekeeping.ledger.placing.facts import facts_parameters as facts_wanted
from stempelwerk_cloud.timekeeping.ledger.placing.facts import read as read_facts
from stempelwerk_cloud.timekeeping.ledger.placing.reprocessing import RetryWithAllLocks
from stempelwerk_cloud.timekeeping.ledger.placing.taps import NO_DIGEST, Anchor, Tap, short_digest
from stempelwerk_cloud.timekeeping.ledger.tables import QuarantinedStamp, unowned
from stempelwerk_cloud.timekeeping.times.held import waiting
from stempelwerk_cloud.timekeeping.times.reading.own import OwnStamp
from stempelwerk_cloud.timekeeping.times.reading.own import of_people as stamps_of
from stempelwerk_cloud.timekeeping.times.reading.own import of_person as own_stamps
from stempelwerk_cloud.timekeeping.tx import Tx

__all__ = [
    "FACTS",
    "NO_DIGEST",
    "Anchor",
    "Delivered",
    "DeviceFacts",
    "FactsRequest",
    "OwnStamp",
    "RetryWithAllLocks",
    "Taken",
    "Tap",
    "facts_wanted",
    "own_stamps",
    "quarantine",
    "read_facts",
    "recall",
    "receive",
    "short_digest",
    "spans_of",
    "stamps_of",
    "unowned",
    "waiting",
]


def quarantine(tx: Tx, device_no: int, epoch: str, unreadable: Sequence[tuple[str | None, bytes]]) -> None:
    """Stores unreadable members of a batch as (value of `id`, bytes); a repeated member is stored once."""
    rows = [
        {
            "device_no": device_no,
            "digest": hashlib.sha256(raw).digest(),
            "id": tx.platform.ids.new(),
            "stamp_id": None if sent_id is None else sent_id.replace("\0", ""),
            "raw": raw,
            "epoch": epoch,
            "received_at": from_ms(tx.now_ms),
        }
        for sent_id, raw in unreadable
    ]
    tx.session.execute(upsert(tx.session, QuarantinedStamp).values(rows).on_conflict_do_nothing())
    figures.count(tx, ["quarantined"] * len(rows))
