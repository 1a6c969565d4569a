"""Storage of a device's epochs (`streams.py`), and the selection of missing rows to request."""

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec

from stempelwerk_cloud.device_api.delivery.streams import Epoch, Ranges
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.kit.database.statements import RowBuffer, Sql, Statement, as_rows, read_list

# Two queries, each with its own index; for one with OR the databases read all epochs of the device.
EPOCHS = (
    "(SELECT @list(g.epoch, g.received, g.gone, g.last_seq, g.asked, g.asked_at, g.successor) FROM"
    " (SELECT e.* FROM epochs e WHERE e.device_no = d.device_no AND e.gaps"
    " UNION SELECT e.* FROM @rows(g0: device_no int, epoch uuid)"
    " @lookup(e: epochs WHERE e.device_no = g0.device_no AND e.epoch = g0.epoch)"
    " WHERE g0.device_no = d.device_no) AS g)"
)
"""An SQL column for a SELECT from devices `d`: a list of the epochs of each device, namely those in `epoch_parameters`
and all with missing rows.
"""

# Counted, because PostgreSQL may answer an EXISTS by reading a whole table into a hash.
ANY_MISSING = "(SELECT count(*) FROM epochs g WHERE g.device_no = d.no AND g.gaps)"
"""An SQL column for a SELECT from devices `d`: the number of each device's epochs with missing rows."""

_READ = Statement(f"SELECT {EPOCHS} FROM @rows(d: device_no int)")  # noqa: S608 -- no values
_INHERITED = Statement(
    "SELECT e.epoch::text, e.received, e.gone FROM @rows(w: device_no int, epoch uuid)"
    " @lookup(p: device_predecessors WHERE p.device_no = w.device_no)"
    " @lookup(e: epochs WHERE e.device_no = p.predecessor_no AND e.epoch = w.epoch)"
)
_WRITE = Statement(
    "INSERT INTO epochs (device_no, epoch, received, gone, last_seq, gaps, asked, asked_at, successor)"
    " SELECT device_no, epoch, received, gone, last_seq, gaps, asked, asked_at, successor FROM @rows(r: device_no int,"
    " epoch uuid, received text, gone text, last_seq int8, gaps bool, asked text, asked_at int8, successor uuid)"
    " WHERE true ON CONFLICT (device_no, epoch) DO UPDATE SET received = excluded.received, gone = excluded.gone,"
    " last_seq = excluded.last_seq, gaps = excluded.gaps, asked = excluded.asked, asked_at = excluded.asked_at,"
    " successor = excluded.successor"
)

_ranges = msgspec.json.Decoder(tuple[tuple[int, int], ...])


def read(sql: Sql, device_no: int) -> dict[str, Epoch]:
    """Returns all epochs of the device that have missing rows, by name."""
    ((column,),) = sql.rows(_READ, {"d": as_rows([{"device_no": device_no}]), **epoch_parameters([])})
    return decode_epochs(column)


def inherited(sql: Sql, device_no: int, epochs: Iterable[str]) -> dict[str, Epoch]:
    """Returns, by name, what the predecessors of this device have delivered and given up of these epochs.

    A successor that delivers an old card does not send rows that the card has already forgotten after their delivery.
    Without this they would count as lost.
    """
    epochs_by_name: dict[str, Epoch] = {}
    wanted_rows = as_rows([{"device_no": device_no, "epoch": epoch} for epoch in epochs])
    for epoch, received, given_up in sql.rows(_INHERITED, {"w": wanted_rows}):
        ranges = Epoch(_ranges.decode(received), _ranges.decode(given_up))
        epochs_by_name[epoch] = epochs_by_name.get(epoch, Epoch()).joined_with(ranges)
    return epochs_by_name


def epoch_parameters(epochs: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Returns the parameter of `EPOCHS` that names epochs: a JSON table of (device_no, epoch)."""
    return {"g0": as_rows([{"device_no": device_no, "epoch": epoch} for device_no, epoch in epochs])}


def decode_epochs(column: str | None) -> dict[str, Epoch]:
    """Decodes a value of the column `EPOCHS` into epochs by name."""
    return {
        epoch: Epoch(
            _ranges.decode(received),
            _ranges.decode(given_up),
            last_seq,
            _ranges.decode(asked_ranges),
            None if asked_ms is None else from_ms(asked_ms),
            successor,
        )
        for epoch, received, given_up, last_seq, asked_ranges, asked_ms, successor in read_list(column)
    }


def write(writing: RowBuffer, device_no: int, epochs: Mapping[str, Epoch]) -> None:
    """Adds the epochs to the rows to be written. The caller holds the device's lock."""
    rows = [
        {
            "device_no": device_no,
            "epoch": name,
            "received": _text(epoch.received),
            "gone": _text(epoch.given_up),
            "last_seq": epoch.last_seq,
            "gaps": bool(epoch.missing()),
            "asked": _text(epoch.asked_ranges),
            "asked_at": None if epoch.asked_at is None else ms_of(epoch.asked_at),
            "successor": epoch.successor,
        }
        for name, epoch in epochs.items()
    ]
    writing.add(_WRITE, rows)


def ask(epochs: dict[str, Epoch], now: datetime) -> tuple[list[tuple[str, int, int]], dict[str, Epoch]]:
    """Returns the ranges (epoch, first row, last row) to request from the clock now, and the epochs that record the
    requests. The latter are also replaced in `epochs`.
    """
    asked_ranges: list[tuple[str, int, int]] = []
    changed: dict[str, Epoch] = {}
    for name in sorted(epochs):
        ranges, updated = epochs[name].to_ask(now)
        if ranges:
            asked_ranges += [(name, first, last) for first, last in ranges]
            epochs[name] = changed[name] = updated
    return asked_ranges, changed


def _text(ranges: Ranges) -> str:
    return msgspec.json.encode(ranges).decode()
