"""The facts of one device for placing its stamps: assignments, releases, boots with their anchors, and streams.

One statement reads them all. A new boot, anchor or stream is written when it first occurs. The caller holds the
device's lock, so no other transaction writes these rows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from stempelwerk_cloud.domain.true_time import Mark
from stempelwerk_cloud.kit.database.statements import RowBuffer, Statement, as_rows, read_list
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import NEW_STREAMS, StreamFacts
from stempelwerk_cloud.timekeeping.ledger.placing.anchoring import Anchors
from stempelwerk_cloud.timekeeping.ledger.placing.ownership import Assignment, Release
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Anchor, Tap
from stempelwerk_cloud.timekeeping.tx import Tx

MARGIN_MS = 4 * 3_600_000
"""Anchors are read up to this many milliseconds, plus the range of the stamps, before and after the stamps' boottimes.
"""

FACTS = (
    # Its own, and those of the devices that it replaces: two queries, each answered by an index.
    "(SELECT @list(o.id, o.company_id, o.starts_at, o.ends_at) FROM"
    " (SELECT a.* FROM device_assignments a WHERE a.device_no = d.device_no"
    " UNION ALL SELECT a.* FROM device_predecessors p"
    " @lookup(a: device_assignments WHERE a.device_no = p.predecessor_no) WHERE p.device_no = d.device_no) AS o),"
    # Likewise for releases; from the other devices only those that came with an assignment.
    " (SELECT @list(o.company_id, o.starts_at, o.ends_at, o.unnamed_only, o.inherited) FROM"
    " (SELECT r.company_id, r.starts_at, r.ends_at, r.unnamed_only, false AS inherited"
    " FROM releases r WHERE r.device_no = d.device_no"
    " UNION ALL SELECT r.company_id, r.starts_at, r.ends_at, r.unnamed_only, true FROM device_predecessors p"
    " @lookup(r: releases WHERE r.device_no = p.predecessor_no AND r.unnamed_only)"
    " WHERE p.device_no = d.device_no) AS o),"
    " (SELECT @list(b.boot, b.no, b.low_ms, b.high_ms, b.unsettled)"
    " FROM @rows(b0: device_no int, boot uuid, low int8, high int8)"
    " @lookup(b: boots WHERE b.device_no = b0.device_no AND b.boot = b0.boot) WHERE b0.device_no = d.device_no),"
    " (SELECT @list(b.boot, a.boottime_ms, a.server_time, a.rtt_ms)"
    " FROM @rows(b0: device_no int, boot uuid, low int8, high int8)"
    " @lookup(b: boots WHERE b.device_no = b0.device_no AND b.boot = b0.boot)"
    " @lookup(a: anchors WHERE a.boot_no = b.no AND a.boottime_ms BETWEEN b0.low AND b0.high)"
    " WHERE b0.device_no = d.device_no),"
    " (SELECT @list(s.epoch, s.boot_no, s.assignment_id, s.no) FROM @rows(e0: device_no int, epoch uuid)"
    " @lookup(s: streams WHERE s.device_no = e0.device_no AND s.epoch = e0.epoch) WHERE e0.device_no = d.device_no)"
)
"""Five columns of a SELECT from devices `d`, with all facts of each device. `facts_parameters` returns their
parameters.
"""

_FACTS = Statement(f"SELECT {FACTS} FROM @rows(d: device_no int)")  # noqa: S608 -- no values
_ALL_ANCHORS = Statement("SELECT boottime_ms, server_time, rtt_ms FROM anchors WHERE boot_no = :boot")
_NEW_BOOT = Statement(
    "INSERT INTO boots (device_no, boot, unsettled) VALUES (:device, :boot::uuid, false) RETURNING no"
)
_NEW_ANCHORS = Statement(
    "INSERT INTO anchors (boot_no, boottime_ms, server_time, rtt_ms)"
    " SELECT boot_no, boottime_ms, server_time, rtt_ms"
    " FROM @rows(r: boot_no int, boottime_ms int8, server_time int8, rtt_ms int8) WHERE true ON CONFLICT DO NOTHING"
)
_NEW_STREAM = Statement(
    "INSERT INTO streams (device_no, boot_no, epoch, assignment_id)"
    " VALUES (:device, :boot, :epoch::uuid, :assignment::uuid) RETURNING no"
)
_BOOT = Statement(
    "UPDATE boots SET low_ms = r.low_ms, high_ms = r.high_ms, unsettled = r.unsettled"
    " FROM @rows(r: no int, low_ms int8, high_ms int8, unsettled bool),"
    " LATERAL (SELECT b.ctid FROM boots b WHERE b.no = r.no OFFSET 0) AS found(place) WHERE boots.ctid = found.place",
    sqlite="UPDATE boots SET low_ms = r.low_ms, high_ms = r.high_ms, unsettled = r.unsettled"
    " FROM @rows(r: no int, low_ms int8, high_ms int8, unsettled bool) WHERE boots.no = r.no",
)


@dataclass(slots=True)
class BootFacts:
    """One run of the device's system (see `tables.Boot`) with its anchors.

    All anchors within `margin_ms` of the stamps have been read; if `complete`, all anchors of the boot.
    """

    boot: str
    no: int
    low_ms: int | None = None
    high_ms: int | None = None
    unsettled: bool = False
    anchors: Anchors = field(default_factory=lambda: Anchors(()))
    margin_ms: int = 0
    complete: bool = False


@dataclass(slots=True)
class DeviceFacts:
    """The facts of one device that are needed to place its stamps. `streams`: the number by (epoch, boot number,
    assignment).
    """

    no: int
    id: str
    assignments: dict[str, Assignment]
    releases: list[Release]
    boots: dict[str, BootFacts]
    streams: dict[tuple[str, int, str | None], int]


class FactsRequest(NamedTuple):
    """A request for the facts of a device. `spans`: the lowest and highest boottime (ms) that is needed of
    each boot.
    """

    device_no: int
    device_id: str
    epochs: Collection[str]
    spans: Mapping[str, tuple[int, int]]


def load(tx: Tx, want: FactsRequest) -> DeviceFacts:
    """Reads the device's facts."""
    (row,) = tx.sql.rows(_FACTS, {"d": as_rows([{"device_no": want.device_no}]), **facts_parameters([want])})
    return read(want, row)


def facts_parameters(wants: Iterable[FactsRequest]) -> dict[str, str]:
    """Returns the parameters of `FACTS`, except the list of devices."""
    epochs, boots = [], []
    for want in wants:
        epochs += [{"device_no": want.device_no, "epoch": epoch} for epoch in want.epochs]
        for boot, (low, high) in want.spans.items():
            margin = margin_of(low, high)
            boots.append({"device_no": want.device_no, "boot": boot, "low": low - margin, "high": high + margin})
    return {"e0": as_rows(epochs), "b0": as_rows(boots)}


def margin_of(low: int, high: int) -> int:
    """Returns how far before and after the stamps anchors are read, in ms. An anchor beyond has an error of more than
    50 ppm of it.
    """
    return high - low + MARGIN_MS


def read(want: FactsRequest, row: Sequence[str | None]) -> DeviceFacts:
    """Decodes the columns of `FACTS` of one device."""
    assignments, releases, boots, anchors, streams = map(read_list, row)
    by_boot: defaultdict[str, list[Mark]] = defaultdict(list)
    for boot, *mark in anchors:
        by_boot[boot].append(Mark(*mark))
    return DeviceFacts(
        want.device_no,
        want.device_id,
        {key: Assignment(company, starts_ms, ends_ms) for key, company, starts_ms, ends_ms in assignments},
        sorted(
            Release(company, starts_ms, ends_ms, bool(unnamed), bool(inherited))
            for company, starts_ms, ends_ms, unnamed, inherited in releases
        ),
        {
            boot: BootFacts(boot, no, low, high, bool(unsettled), Anchors(by_boot[boot]), margin_of(*want.spans[boot]))
            for boot, no, low, high, unsettled in boots
        },
        {(epoch, boot_no, assignment): no for epoch, boot_no, assignment, no in streams},
    )


def spans_of(reported: Iterable[Tap | Anchor]) -> dict[str, tuple[int, int]]:
    """Returns the lowest and highest boottime (ms) of these taps and anchors, by boot."""
    spans: dict[str, tuple[int, int]] = {}
    for report in reported:
        low, high = spans.get(report.boot, (report.boottime_ms, report.boottime_ms))
        spans[report.boot] = (min(low, report.boottime_ms), max(high, report.boottime_ms))
    return spans


def boot_of(tx: Tx, facts: DeviceFacts, boot: str) -> BootFacts:
    """Returns the boot with that id; inserts it if it is new."""
    boot_facts = facts.boots.get(boot)
    if boot_facts is None:
        ((number,),) = tx.sql.rows(_NEW_BOOT, {"device": facts.no, "boot": boot})
        boot_facts = facts.boots[boot] = BootFacts(boot, number, complete=True)
    return boot_facts


def add_anchors(tx: Tx, writing: RowBuffer, facts: DeviceFacts, anchors: Sequence[Anchor]) -> list[Anchor]:
    """Adds the new anchors to the boots and to `writing`; returns the new anchors of boots that existed before.

    The facts that were read also cover the surroundings of these anchors, so they show which anchors are new.
    """
    old = set(facts.boots)
    by_boot: defaultdict[str, set[Mark]] = defaultdict(set)
    for anchor in anchors:
        boot = boot_of(tx, facts, anchor.boot)
        if anchor.mark not in boot.anchors.sorted:
            by_boot[anchor.boot].add(anchor.mark)
    rows = []
    for name, marks in by_boot.items():
        boot = facts.boots[name]
        boot.anchors = Anchors([*boot.anchors.sorted, *marks])
        rows += [
            {"boot_no": boot.no, "boottime_ms": mark.boottime_ms, "server_time": mark.server_ms, "rtt_ms": mark.rtt_ms}
            for mark in sorted(marks)
        ]
    writing.add(_NEW_ANCHORS, rows)
    return [Anchor(name, *mark) for name, marks in by_boot.items() if name in old for mark in sorted(marks)]


def need_all_anchors(tx: Tx, boot: BootFacts) -> None:
    """Reads all anchors of the boot, unless they have been read already."""
    if not boot.complete:
        rows = tx.sql.rows(_ALL_ANCHORS, {"boot": boot.no})
        boot.anchors = Anchors([*boot.anchors.sorted, *(Mark(*row) for row in rows)])
        boot.complete = True


def stream_of(tx: Tx, facts: DeviceFacts, epoch: str, boot_no: int, assignment: str | None) -> int:
    """Returns the number of the stream; inserts it if it is new."""
    key = (epoch, boot_no, assignment)
    stream_no = facts.streams.get(key)
    if stream_no is None:
        ((stream_no,),) = tx.sql.rows(
            _NEW_STREAM, {"device": facts.no, "boot": boot_no, "epoch": epoch, "assignment": assignment}
        )
        facts.streams[key] = stream_no
        NEW_STREAMS.of(tx.session)[stream_no] = StreamFacts(facts.no, facts.id, epoch)
    return stream_no


def write_boot(writing: RowBuffer, boot: BootFacts) -> None:
    """Adds the conclusions about a boot (its bounds and `unsettled`) to `writing`."""
    row = {"no": boot.no, "low_ms": boot.low_ms, "high_ms": boot.high_ms, "unsettled": boot.unsettled}
    writing.add(_BOOT, [row])
