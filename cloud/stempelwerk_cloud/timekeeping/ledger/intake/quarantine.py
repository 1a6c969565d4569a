"""Storing unreadable stamps."""

import hashlib
from collections.abc import Sequence

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.timekeeping.ledger.intake import figures
from stempelwerk_cloud.timekeeping.ledger.tables import QuarantinedStamp
from stempelwerk_cloud.timekeeping.tx import Tx


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
