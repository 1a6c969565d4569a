"""What is known of one device when its stamps are placed: assignments, releases, boots with their anchors, streams.

One statement reads it all; what is new (a boot, an anchor, a stream) is written as it is met. The caller holds the
device's lock, so nobody else writes these rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from stempelwerk_cloud.kit.statements import Statement, as_rows, read_list
from stempelwerk_cloud.timekeeping.entries.rows import StreamFacts
from stempelwerk_cloud.timekeeping.stamps.anchoring import Anchors
from stempelwerk_cloud.timekeeping.stamps.placing import Assignment, Release
from stempelwerk_cloud.timekeeping.stamps.taps import Anchor, Tap
from stempelwerk_cloud.timekeeping.tx import Tx

MARGIN_MS = 4 * 3_600_000
"""How far around the stamps anchors are read: one further away has an error of more than 50 ppm of this."""

_FACTS = Statement(
    "SELECT (SELECT @list(a.id, a.company_id, a.starts_at, a.ends_at) FROM device_assignments a"
    "  WHERE a.device_no = :device),"
    " (SELECT @list(r.company_id, r.starts_at, r.ends_at) FROM releases r WHERE r.device_no = :device),"
    " (SELECT @list(b.boot, b.no, b.low_ms, b.high_ms, b.unsettled) FROM @rows(w: boot uuid, low int8, high int8)"
    "  CROSS JOIN boots b WHERE b.device_no = :device AND b.boot = w.boot),"
    " (SELECT @list(b.boot, a.boottime_ms, a.server_time, a.rtt_ms) FROM @rows(w: boot uuid, low int8, high int8)"
    "  CROSS JOIN boots b JOIN anchors a ON a.boot_no = b.no AND a.boottime_ms BETWEEN w.low AND w.high"
    "  WHERE b.device_no = :device AND b.boot = w.boot),"
    " (SELECT @list(s.epoch, s.boot_no, s.assignment_id, s.no) FROM @rows(e: epoch uuid) CROSS JOIN streams s"
    "  WHERE s.device_no = :device AND s.epoch = e.epoch)"
)
_ALL_ANCHORS = Statement("SELECT boottime_ms, server_time, rtt_ms FROM anchors WHERE boot_no = :boot")
_NEW_BOOT = Statement(
    "INSERT INTO boots (device_no, boot, unsettled) VALUES (:device, :boot::uuid, false) RETURNING no"
)
_NEW_ANCHORS = Statement(
    "INSERT INTO anchors (boot_no, boottime_ms, server_time, rtt_ms)"
    " SELECT boot_no, boottime_ms, server_time, rtt_ms"
    " FROM @rows(r: boot_no int, boottime_ms int8, server_time int8, rtt_ms int8) WHERE true"
    " ON CONFLICT DO NOTHING RETURNING boot_no, boottime_ms, server_time, rtt_ms"
)
_NEW_STREAM = Statement(
    "INSERT INTO streams (device_no, boot_no, epoch, assignment_id)"
    " VALUES (:device, :boot, :epoch::uuid, :assignment::uuid) RETURNING no"
)
_BOOT = Statement("UPDATE boots SET low_ms = :low, high_ms = :high, unsettled = :unsettled WHERE no = :no")


@dataclass(slots=True)
class BootFacts:
    """A start of the device's system; see `tables.Boot`. `complete`: every anchor of it has been read."""

    boot: str
    no: int
    low_ms: int | None = None
    high_ms: int | None = None
    unsettled: bool = False
    anchors: Anchors = field(default_factory=lambda: Anchors("", ()))
    complete: bool = False


@dataclass(slots=True)
class DeviceFacts:
    """One device as far as its stamps are concerned."""

    no: int
    id: str
    assignments: dict[str, Assignment]
    releases: list[Release]
    boots: dict[str, BootFacts]
    streams: dict[tuple[str, int, str | None], int]


def load(
    tx: Tx, device_no: int, device_id: str, epochs: Iterable[str], spans: Mapping[str, tuple[int, int]]
) -> DeviceFacts:
    """The device's facts. `spans`: for each boot that is needed, between which boottimes."""
    wanted = [{"boot": boot, "low": low - MARGIN_MS, "high": high + MARGIN_MS} for boot, (low, high) in spans.items()]
    ((assignments, releases, boots, anchors, streams),) = tx.sql.rows(
        _FACTS, {"device": device_no, "e": as_rows([{"epoch": epoch} for epoch in epochs]), "w": as_rows(wanted)}
    )
    by_boot: defaultdict[str, list[Anchor]] = defaultdict(list)
    for anchor in read_list(anchors):
        by_boot[anchor[0]].append(Anchor(*anchor))
    return DeviceFacts(
        device_no,
        device_id,
        {key: Assignment(company, starts, ends) for key, company, starts, ends in read_list(assignments)},
        sorted(Release(*release) for release in read_list(releases)),
        {
            boot: BootFacts(boot, no, low, high, bool(unsettled), Anchors(boot, by_boot[boot]))
            for boot, no, low, high, unsettled in read_list(boots)
        },
        {(epoch, boot_no, assignment): no for epoch, boot_no, assignment, no in read_list(streams)},
    )


def spans_of(reported: Iterable[Tap | Anchor]) -> dict[str, tuple[int, int]]:
    """Between which boottimes each boot is needed."""
    spans: dict[str, tuple[int, int]] = {}
    for one in reported:
        low, high = spans.get(one.boot, (one.boottime_ms, one.boottime_ms))
        spans[one.boot] = (min(low, one.boottime_ms), max(high, one.boottime_ms))
    return spans


def boot_of(tx: Tx, facts: DeviceFacts, boot: str) -> BootFacts:
    """The boot of that name; written down if it is new."""
    known = facts.boots.get(boot)
    if known is None:
        ((number,),) = tx.sql.rows(_NEW_BOOT, {"device": facts.no, "boot": boot})
        known = facts.boots[boot] = BootFacts(boot, number, anchors=Anchors(boot, ()), complete=True)
    return known


def add_anchors(tx: Tx, facts: DeviceFacts, anchors: Sequence[Anchor]) -> list[Anchor]:
    """Writes down anchors; answers with those that are new, of boots that had stamps before."""
    if not anchors:
        return []
    old = {boot.no: boot for boot in facts.boots.values()}
    rows = [
        {
            "boot_no": boot_of(tx, facts, anchor.boot).no,
            "boottime_ms": anchor.boottime_ms,
            "server_time": anchor.server_ms,
            "rtt_ms": anchor.rtt_ms,
        }
        for anchor in dict.fromkeys(anchors)
    ]
    fresh = tx.sql.rows(_NEW_ANCHORS, {"r": as_rows(rows)})
    by_boot: defaultdict[str, list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        by_boot[anchor.boot].append(anchor)
    for name, added in by_boot.items():
        boot = facts.boots[name]
        boot.anchors = Anchors(name, [*boot.anchors.sorted, *added])
    return [Anchor(old[no].boot, *more) for no, *more in fresh if no in old]


def need_all_anchors(tx: Tx, boot: BootFacts) -> None:
    """Reads the anchors of the boot that are further away."""
    if not boot.complete:
        rows = tx.sql.rows(_ALL_ANCHORS, {"boot": boot.no})
        boot.anchors = Anchors(boot.boot, [*boot.anchors.sorted, *(Anchor(boot.boot, *row) for row in rows)])
        boot.complete = True


def stream_of(tx: Tx, facts: DeviceFacts, epoch: str, boot_no: int, assignment: str | None) -> int:
    """The number of a stream; written down if it is new."""
    key = (epoch, boot_no, assignment)
    known = facts.streams.get(key)
    if known is None:
        ((known,),) = tx.sql.rows(
            _NEW_STREAM, {"device": facts.no, "boot": boot_no, "epoch": epoch, "assignment": assignment}
        )
        facts.streams[key] = known
        given = tx.session.info.setdefault("streams", {})
        given[known] = StreamFacts(facts.no, facts.id, epoch)
    return known


def write_boots(tx: Tx, boots: Iterable[BootFacts]) -> None:
    """Writes what has been concluded about boots."""
    for boot in boots:
        tx.sql.do(_BOOT, {"low": boot.low_ms, "high": boot.high_ms, "unsettled": boot.unsettled, "no": boot.no})
