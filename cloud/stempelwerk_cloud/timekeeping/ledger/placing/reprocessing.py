"""Reprocessing: places existing stamps again after new facts about them, and moves those whose place has changed.

The new fact may be a better anchor of the same boot, an assignment or release, an administrator's decision, or a second
claim to the same id. The stamps go through the same `placement` as on arrival, so the order of the facts makes no
difference. Raw values never change. The caller holds the device's lock, and then calls `take_locks`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.statements import RowBuffer, Statement, as_rows
from stempelwerk_cloud.kit.database.transactions import savepoint
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation import Change, merge_change, refresh
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import numbers
from stempelwerk_cloud.timekeeping.ledger.intake import arrivals, queries
from stempelwerk_cloud.timekeeping.ledger.intake.queries import StampKey, StoredStamp
from stempelwerk_cloud.timekeeping.ledger.placing import anchoring, facts
from stempelwerk_cloud.timekeeping.ledger.placing.facts import BootFacts, DeviceFacts
from stempelwerk_cloud.timekeeping.ledger.placing.ownership import normalize_tag
from stempelwerk_cloud.timekeeping.ledger.placing.placement import Placed, PlacedStamp, Timed, place_claim, timed
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Anchor, Claim
from stempelwerk_cloud.timekeeping.status_bits import REASON
from stempelwerk_cloud.timekeeping.tx import Tx

Changes = dict[str, dict[str, Change]]
"""The changed span (first and last instant, ms) by company and person."""

_FURTHEST = 2**62
_DEVICE_ID = Statement("SELECT id::text FROM devices WHERE no = :device")
_COMPANIES = Statement(
    "SELECT a.company_id::text FROM @rows(w: device_no int)"
    " @lookup(a: device_assignments WHERE a.device_no = w.device_no)"
    " UNION SELECT a.company_id::text FROM @rows(u: device_no int)"
    " @lookup(p: device_predecessors WHERE p.device_no = u.device_no)"
    " @lookup(a: device_assignments WHERE a.device_no = p.predecessor_no)"
    " UNION SELECT r.company_id::text FROM @rows(v: device_no int) @lookup(r: releases WHERE r.device_no = v.device_no)"
    " UNION SELECT r.company_id::text FROM @rows(x: device_no int)"
    " @lookup(p: device_predecessors WHERE p.device_no = x.device_no)"
    " @lookup(r: releases WHERE r.device_no = p.predecessor_no AND r.unnamed_only)"
)
_HOLD = Statement(
    "SELECT r.id::text FROM @rows(w: id uuid),"
    " LATERAL (SELECT x.id FROM receipts x WHERE x.id = w.id OFFSET 0 FOR UPDATE) AS r",
    sqlite="SELECT r.id FROM @rows(w: id uuid) @lookup(r: receipts WHERE r.id = w.id)",
)


class RetryWithAllLocks(Exception):
    """Raised when a lock is needed that precedes the locks already held in the lock order.

    The caller must roll back the transaction and repeat it with all locks.
    """


class Target(NamedTuple):
    """The new place of a claim: its company, or the unassigned stamps. `conflict`: other claims to the id contradict
    it.
    """

    timed: Timed
    device: DeviceFacts
    conflict: bool


def take_locks(tx: Tx, device_nos: Collection[int], ids: Collection[str] = ()) -> None:
    """Takes the locks for placing the stamps of these devices, and the stamps with these ids, again.

    1. The receipts (`Lock.STAMP`) of `ids`, and of each id that a device has claimed in competition with another.
    2. Exclusively, the rules (`Lock.RULES`) of each company that may own a stamp of a device that claims such an id.

    While it waits for the rules, another transaction may add a claim. Then it rolls back to a savepoint and begins
    again. After it, `tx.locked_companies` has the inputs of these companies and `tx.locked_ids` the locked ids. It does
    nothing if the transaction has these locks already.
    """
    while tx.locked_companies is None:
        step = savepoint(tx.session)
        wanted_ids = {*ids, *_claimed_by(tx, device_nos)}
        locked_ids = _lock_ids(tx, wanted_ids)
        owned = {
            company_id: derivation_inputs.lock_and_read(tx, company_id)
            for company_id in _concerned(tx, device_nos, locked_ids)
        }
        if wanted_ids.issuperset(_claimed_by(tx, device_nos)):
            step.commit()
            tx.locked_companies, tx.locked_ids = owned, locked_ids
        else:
            step.rollback()


def _claimed_by(tx: Tx, device_nos: Iterable[int]) -> list[str]:
    return [id_ for device_no in device_nos for id_ in arrivals.claimed_by(tx, device_no)]


def _concerned(tx: Tx, device_nos: Iterable[int], ids: Collection[str]) -> list[str]:
    """Returns the sorted ids of the companies of these devices, and of all other devices that have claimed
    these ids.
    """
    claimed = arrivals.claims(tx, ids).values()
    claiming = {*device_nos, *(claim.device_no for claims in claimed for claim in claims)}
    claiming |= {receipt.device_no for receipt in arrivals.receipts(tx, ids).values()}
    rows = as_rows([{"device_no": device_no} for device_no in claiming])
    return sorted(row[0] for row in tx.sql.rows(_COMPANIES, {"w": rows, "u": rows, "v": rows, "x": rows}))


def _lock_ids(tx: Tx, ids: Collection[str]) -> frozenset[str]:
    """Locks these ids against decisions of other transactions, whatever device they come from; returns those with a
    receipt.

    They are locked one by one in ascending order, which rules out deadlocks.
    """
    locks.record_row_lock(tx.session, Lock.STAMP, sorted(ids))
    return frozenset(row[0] for row in tx.sql.rows(_HOLD, {"w": as_rows([{"id": id_} for id_ in sorted(ids)])}))


def _inputs(tx: Tx, company_id: str) -> DerivationInputs:
    assert tx.locked_companies is not None, "`take_locks` comes first"
    inputs: DerivationInputs | None = tx.locked_companies.get(company_id)
    if inputs is None:  # a clock in stock, which had claimed one of the ids, has become this company's since
        raise RetryWithAllLocks
    return inputs


def derive(tx: Tx, changes: Changes) -> dict[str, int]:
    """Derives the entries of all changed people, company by company; returns the statuses of the derived
    stamps, by id.
    """
    statuses: dict[str, int] = {}
    for company_id in sorted(changes):
        statuses |= refresh(tx, _inputs(tx, company_id), changes[company_id])
    return statuses


def settle(tx: Tx, device: DeviceFacts, unusual: Sequence[Claim], changes: Changes) -> None:
    """Settles ids that have a second claim, with other content or from another device: stores all claims and places
    them.
    """
    if not unusual:
        return
    ids = sorted({claim.tap.id for claim in unusual})
    arrivals.add_claims(tx, [*_originals(tx, ids), *unusual])
    _settle_claimed(tx, {device.no: device}, ids, changes)


def may_move(device: DeviceFacts, anchor: Anchor) -> bool:
    """Whether a new anchor of a boot can change the place of any of the boot's stamps."""
    boot = device.boots[anchor.boot]
    return boot.unsettled or _disagrees(boot, anchor)


def follow_anchor(tx: Tx, device: DeviceFacts, anchor: Anchor, changes: Changes) -> None:
    """Places those stamps of a boot again that get a better time from a new anchor."""
    boot = device.boots[anchor.boot]
    low, high = -_FURTHEST, _FURTHEST
    if _disagrees(boot, anchor):
        present = _distrust(tx, device, boot)
    else:
        facts.need_all_anchors(tx, boot)
        bounds = anchoring.reach(anchor.mark, boot.anchors.sorted)
        low = low if bounds[0] is None else bounds[0]
        high = high if bounds[1] is None else bounds[1]
        present = queries.unsettled_of(tx, boot.no, low, high)
    place_again(tx, device, present, queries.strays_of_boot(tx, device.no, boot.no, low, high), changes)


def _disagrees(boot: BootFacts, anchor: Anchor) -> bool:
    """Whether an anchor contradicts the NTP wall times of the stamps of its boot."""
    return (
        boot.low_ms is not None
        and boot.high_ms is not None
        and not anchoring.agrees(anchor.mark, boot.low_ms, boot.high_ms)
    )


def _distrust(tx: Tx, device: DeviceFacts, boot: BootFacts) -> list[StoredStamp]:
    """Marks every stamp of the boot to be checked against each new anchor; returns all of them."""
    companies = _companies([device])
    queries.unsettle(tx, boot.no, companies)
    boot.low_ms = boot.high_ms = None
    boot.unsettled = True
    writing = RowBuffer()
    facts.write_boot(writing, boot)
    writing.flush(tx.sql)
    return queries.all_of_boot(tx, boot.no, companies)


def place_again(
    tx: Tx, device: DeviceFacts, present: Sequence[StoredStamp], unassigned: Sequence[Claim], changes: Changes
) -> None:
    """Moves these stamps of a device to the places that follow from its current facts.

    Settles again all ids that the device has claimed in competition with others.
    """
    claimed_ids = arrivals.claimed_by(tx, device.no)
    claimed = arrivals.claims(
        tx, {*claimed_ids, *(stamp.where.id for stamp in present), *(claim.tap.id for claim in unassigned)}
    )
    single = [stamp for stamp in present if stamp.where.id not in claimed]
    unclaimed = [claim for claim in unassigned if claim.tap.id not in claimed]
    targets = [
        Target(timed(tx, device, claim), device, False) for claim in [*(stamp.claim for stamp in single), *unclaimed]
    ]
    move(tx, single, [(claim.device_no, claim.tap.id) for claim in unclaimed], targets, changes)
    if claimed:
        _settle_claimed(tx, {device.no: device}, claimed, changes)


def move(
    tx: Tx,
    present: Sequence[StoredStamp],
    unassigned: Iterable[tuple[int, str]],
    targets: Sequence[Target],
    changes: Changes,
) -> None:
    """Moves stamps from their present places to their targets; adds the affected people to `changes`."""
    inputs_by_company = _load_inputs(tx, present, targets)
    rows = _rows(tx, inputs_by_company, targets)
    unassigned_claims = [target.timed for target in targets if target.timed.company_id is None]
    wanted_rows = {
        StampKey(placement.row.company_id, placement.row.tag_no, placement.row.at, placement.row.id): placement
        for placement in rows
    }
    claims = {target.timed.claim.tap.id: target.timed.claim for target in targets}
    stored_stamps = {stamp.where: stamp for stamp in present}
    outdated = {
        key: stamp
        for key, stamp in stored_stamps.items()
        if key not in wanted_rows or _differs(stamp, wanted_rows[key].row, claims[key.id])
    }
    fresh = [placement for key, placement in wanted_rows.items() if key not in stored_stamps or key in outdated]
    queries.delete(tx, outdated)
    writing = RowBuffer()
    queries.insert(writing, [placement.row for placement in fresh])
    lost = {(timed_claim.claim.device_no, timed_claim.claim.tap.id) for timed_claim in unassigned_claims}
    queries.delete_unassigned(tx, [key for key in unassigned if key not in lost])
    queries.insert_unassigned(tx, writing, unassigned_claims)
    writing.flush(tx.sql)
    _note(inputs_by_company, outdated.values(), fresh, changes)
    tag_nos: dict[str, int | None] = dict.fromkeys(
        (timed_claim.claim.tap.id for timed_claim in unassigned_claims), None
    )
    arrivals.move_receipts(tx, tag_nos | {row.id: row.tag_no for row, _ in fresh})


def facts_for(tx: Tx, device_no: int, claims: Sequence[Claim]) -> DeviceFacts:
    """Reads those facts of a device that are needed to place these claims."""
    ((device_id,),) = tx.sql.rows(_DEVICE_ID, {"device": device_no})
    epochs = {claim.epoch for claim in claims}
    spans = facts.spans_of([claim.tap for claim in claims])
    return facts.load(tx, facts.FactsRequest(device_no, device_id, epochs, spans))


def _originals(tx: Tx, ids: Sequence[str]) -> list[Claim]:
    """Returns, for each id, the claim of its receipt, unless `stamp_claims` already has claims to the id."""
    receipts = arrivals.receipts(tx, ids)
    under = [(receipt.tag_no, id_) for id_, receipt in receipts.items() if receipt.tag_no is not None]
    stored_claims = [stamp.claim for stamp in queries.stored_under(tx, under)]
    stored_claims += queries.strays_by_id(
        tx, [(receipt.device_no, id_) for id_, receipt in receipts.items() if receipt.tag_no is None]
    )
    originals = [claim for claim in stored_claims if claim.device_no == receipts[claim.tap.id].device_no]
    recorded = arrivals.claims(tx, ids)
    for claim in originals:
        claim.tap.digest = receipts[claim.tap.id].digest
    return [claim for claim in originals if claim.tap.id not in recorded]


def _settle_claimed(tx: Tx, devices: dict[int, DeviceFacts], ids: Collection[str], changes: Changes) -> None:
    for id_, claims in sorted(arrivals.claims(tx, ids).items()):
        for device_no in {claim.device_no for claim in claims}:
            device_claims = [claim for claim in claims if claim.device_no == device_no]
            if device_no not in devices or not _covers(devices[device_no], device_claims):
                devices[device_no] = facts_for(tx, device_no, device_claims)
        targets = _choose(tx, devices, claims)
        companies = _companies(devices[claim.device_no] for claim in claims)
        present = queries.stored_as(tx, companies, {normalize_tag(claim.tap.tag) for claim in claims}, id_)
        move(tx, present, {(claim.device_no, id_) for claim in claims}, targets, changes)


def _choose(tx: Tx, devices: Mapping[int, DeviceFacts], claims: Sequence[Claim]) -> list[Target]:
    """Chooses which claim to one id counts, and where it is placed.

    - Only one claim counts in all companies together. If all are unassigned, all of them wait side by side.
    - Of several claims of one device, and then of several devices, the one with the smallest digest wins, whatever
      their companies.
    - A claim by assignment comes before one by release, and that before an unassigned one. So a copied card takes
      nothing away from the clock that made the stamp.
    """
    candidates = []
    for device_no in sorted({claim.device_no for claim in claims}):
        device_claims = [claim for claim in claims if claim.device_no == device_no]
        device = devices[device_no]
        candidates.append(
            Target(timed(tx, device, min(device_claims, key=lambda claim: claim.rank)), device, len(device_claims) > 1)
        )
    placed_ones = [target for target in candidates if target.timed.company_id is not None]
    rightful = [target for target in placed_ones if target.timed.rightful]
    status = rightful or placed_ones
    return [_best(status)] if status else candidates


def _best(group: Sequence[Target]) -> Target:
    best = min(group, key=lambda target: target.timed.claim.rank)
    digests = {target.timed.claim.tap.digest for target in group}
    return best._replace(conflict=len(digests) > 1 or any(target.conflict for target in group))


def _covers(device: DeviceFacts, claims: Iterable[Claim]) -> bool:
    """Whether the facts of the device include the boots of all these claims, and so their anchors."""
    return all(claim.tap.boot in device.boots for claim in claims)


def _companies(devices: Iterable[DeviceFacts]) -> list[str]:
    """Returns the companies that these devices' stamps can belong to."""
    all_devices = list(devices)
    assigned = {assignment.company_id for device in all_devices for assignment in device.assignments.values()}
    return sorted(assigned | {release.company_id for device in all_devices for release in device.releases})


def _load_inputs(tx: Tx, present: Sequence[StoredStamp], targets: Sequence[Target]) -> dict[str, DerivationInputs]:
    tags: dict[str, set[str]] = {}
    for stamp in present:
        tags.setdefault(stamp.where.company_id, set()).add(stamp.tag)
    for target in targets:
        if target.timed.company_id is not None:
            tags.setdefault(target.timed.company_id, set()).add(normalize_tag(target.timed.claim.tap.tag))
    inputs_by_company = {}
    for company_id in sorted(tags):
        inputs_by_company[company_id] = _inputs(tx, company_id)
        inputs_by_company[company_id].need_tags(tx, tags[company_id])
    return inputs_by_company


def _rows(tx: Tx, inputs_by_company: Mapping[str, DerivationInputs], targets: Sequence[Target]) -> list[Placed]:
    rows = []
    for company_id, inputs in inputs_by_company.items():
        company_targets = [target for target in targets if target.timed.company_id == company_id]
        tag_nos = numbers(
            tx, "tag", company_id, {normalize_tag(target.timed.claim.tap.tag) for target in company_targets}
        )
        verdicts = queries.verdicts(tx, company_id, [target.timed.claim.tap.id for target in company_targets])
        rows += [
            place_claim(
                tx,
                target.device,
                target.timed,
                inputs,
                tag_nos,
                conflict=target.conflict,
                verdict=verdicts.get(target.timed.claim.tap.id),
                watched=True,
            )
            for target in company_targets
        ]
    return rows


def _differs(stored: StoredStamp, row: PlacedStamp, claim: Claim) -> bool:
    """Whether the new row under the same key differs from the stored stamp, apart from the reason why it does not
    count.
    """
    if (stored.status ^ row.status) & ~REASON:
        return True
    stored_tap, wanted_tap = (msgspec.structs.astuple(tap)[:-1] for tap in (stored.claim.tap, claim.tap))
    return stored_tap != wanted_tap


def _note(
    inputs_by_company: Mapping[str, DerivationInputs],
    removed: Iterable[StoredStamp],
    fresh: Iterable[Placed],
    changes: Changes,
) -> None:
    for stamp in removed:
        user_id, _ = inputs_by_company[stamp.where.company_id].holder(stamp.tag, stamp.where.at)
        if user_id is not None:
            merge_change(changes.setdefault(stamp.where.company_id, {}), user_id, stamp.where.at, stamp.where.at)
    for row, user_id in fresh:
        if user_id is not None:
            merge_change(changes.setdefault(row.company_id, {}), user_id, row.at, row.at)
