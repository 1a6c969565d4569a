"""Taking in what a clock delivered: each stamp once, in its place, and the entries it makes, in one transaction.

Receipts decide what is new, set-based; the usual batch (all new, nothing else moved by it) needs a handful of
statements. What is unusual is left to `moves.py`: an id that was there with other words or from another device, and an
anchor that moves stamps which are there already. The caller holds the device's lock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from stempelwerk_cloud.timekeeping.entries import roster as rosters
from stempelwerk_cloud.timekeeping.entries.derivation import merge_change
from stempelwerk_cloud.timekeeping.entries.numbers import numbers
from stempelwerk_cloud.timekeeping.entries.roster import Roster
from stempelwerk_cloud.timekeeping.stamps import anchoring, facts, ledger, moves
from stempelwerk_cloud.timekeeping.stamps.facts import BootFacts, DeviceFacts
from stempelwerk_cloud.timekeeping.stamps.ledger import Where
from stempelwerk_cloud.timekeeping.stamps.placement import StampRow, Timed, offset_ms, placed, timed
from stempelwerk_cloud.timekeeping.stamps.placing import spelled
from stempelwerk_cloud.timekeeping.stamps.taps import Anchor, Claim, Tap
from stempelwerk_cloud.timekeeping.tx import Tx
from stempelwerk_cloud.timekeeping.words import State, state_of

Outcome = Literal["stored", "duplicate", "variant"]


class Taken(NamedTuple):
    """What became of a delivered stamp, and how it stands now."""

    outcome: Outcome
    state: State


@dataclass(slots=True)
class _Batch:
    """A batch on its way in. `unheld`: the standings of new stamps whose tag nobody holds."""

    facts: DeviceFacts
    timed: list[Timed]
    rosters: dict[str, Roster] = field(default_factory=dict)
    tag_nos: dict[str, dict[str, int]] = field(default_factory=dict)
    unheld: dict[str, int] = field(default_factory=dict)
    changes: moves.Changes = field(default_factory=dict)


def receive(
    tx: Tx, device_no: int, device_id: str, epoch: str, taps: Sequence[Tap], anchors: Sequence[Anchor]
) -> list[Taken]:
    """Takes in stamps of one epoch of a device; answers one `Taken` for each, in their order."""
    known = facts.load(tx, device_no, device_id, [epoch], facts.spans_of([*taps, *anchors]))
    fresh_anchors = facts.add_anchors(tx, known, anchors)
    batch = _Batch(known, [timed(tx, known, Claim(device_no, epoch, tx.now_ms, tap)) for tap in taps])
    _keep(tx, batch)
    outcomes, unusual = _store(tx, batch)
    if unusual:
        moves.settle(tx, known, [one.claim for one in unusual], batch.changes)
    for anchor in fresh_anchors:
        moves.follow_anchor(tx, known, anchor, batch.changes)
    standings = moves.derive(tx, batch.changes, batch.rosters)
    states = _states(tx, batch, outcomes, unusual, standings)
    return [Taken(outcome, states[tap.id]) for outcome, tap in zip(outcomes, taps, strict=True)]


def recall(tx: Tx, device_no: int, device_id: str, epoch: str, taps: Sequence[Tap]) -> list[Taken]:
    """How stamps that were taken in before stand now; writes nothing."""
    known = facts.load(tx, device_no, device_id, [epoch], facts.spans_of(taps))
    batch = _Batch(known, [timed(tx, known, Claim(device_no, epoch, tx.now_ms, tap)) for tap in taps])
    _keep(tx, batch)
    states = _looked_up(tx, batch, {one.claim.tap.id: one for one in batch.timed})
    return [Taken("duplicate", states[tap.id]) for tap in taps]


def _keep(tx: Tx, batch: _Batch) -> None:
    """Keeps the rules of the companies concerned, in the order of ids, and reads what their stamps need."""
    tags: dict[str, set[str]] = {}
    for one in batch.timed:
        if one.company_id is not None:
            tags.setdefault(one.company_id, set()).add(spelled(one.claim.tap.tag))
    for company_id in sorted(tags):
        roster = rosters.keep(tx, company_id)
        roster.need_tags(tx, tags[company_id])
        batch.rosters[company_id] = roster
        batch.tag_nos[company_id] = numbers(tx, "tag", company_id, tags[company_id])


def _store(tx: Tx, batch: _Batch) -> tuple[list[Outcome], list[Timed]]:
    """Writes what is new. The outcomes, and the claims whose ids need a closer look."""
    first: dict[str, Timed] = {}
    for one in batch.timed:
        first.setdefault(one.claim.tap.id, one)
    rows = {
        id_: placed(tx, batch.facts, one, batch.rosters[one.company_id], batch.tag_nos[one.company_id])
        for id_, one in first.items()
        if one.company_id is not None
    }
    fresh = ledger.receive(
        tx,
        batch.facts.no,
        [(id_, one.claim.tap.digest, rows[id_].tag_no if id_ in rows else None) for id_, one in first.items()],
    )
    _write(tx, batch, [rows[id_] for id_ in first if id_ in fresh and id_ in rows])
    ledger.insert_strays(tx, [one for id_, one in first.items() if id_ in fresh and id_ not in rows])
    outcomes, unusual = _outcomes(tx, batch, first, fresh)
    _note_boots(tx, [*(one for id_, one in first.items() if id_ in fresh), *unusual])
    return outcomes, unusual


def _write(tx: Tx, batch: _Batch, rows: Sequence[StampRow]) -> None:
    ledger.insert(tx, rows)
    for row in rows:
        if row.user_id is None:
            batch.unheld[row.id] = row.standing
        else:
            merge_change(batch.changes.setdefault(row.company_id, {}), row.user_id, row.at, row.at)


def _note_boots(tx: Tx, fresh: Iterable[Timed]) -> None:
    """Notes what new stamps, and new claims to old ones, say about their boots, if that is news."""
    offsets: dict[str, list[int]] = {}
    boots: dict[str, BootFacts] = {}
    changed: dict[str, BootFacts] = {}
    for one in fresh:
        boots[one.boot.boot] = one.boot
        if one.settled:
            offsets.setdefault(one.boot.boot, []).append(offset_ms(one.claim.tap))
        elif not one.boot.unsettled:
            one.boot.unsettled = True
            changed[one.boot.boot] = one.boot
    for name, seen in offsets.items():
        boot = boots[name]
        bounds = anchoring.widened(boot.low_ms, boot.high_ms, seen)
        if bounds != (boot.low_ms, boot.high_ms):
            boot.low_ms, boot.high_ms = bounds
            changed[name] = boot
    facts.write_boots(tx, changed.values())


def _outcomes(tx: Tx, batch: _Batch, first: dict[str, Timed], fresh: set[str]) -> tuple[list[Outcome], list[Timed]]:
    if len(fresh) == len(batch.timed):
        return ["stored"] * len(fresh), []
    known = {one.claim.tap.id for one in batch.timed if not _is_new(one, first, fresh)}
    receipts = ledger.receipts(tx, known)
    claims = ledger.claims(tx, known)
    said = {
        id_: {(receipt.device_no, receipt.digest)} | {(one.device_no, one.tap.digest) for one in claims.get(id_, ())}
        for id_, receipt in receipts.items()
    }
    outcomes: list[Outcome] = []
    unusual: list[Timed] = []
    for one in batch.timed:
        tap = one.claim.tap
        if _is_new(one, first, fresh):
            outcomes.append("stored")
            continue
        before = said[tap.id]
        outcomes.append("duplicate" if any(tap.digest == digest for _, digest in before) else "variant")
        if (batch.facts.no, tap.digest) not in before:
            before.add((batch.facts.no, tap.digest))
            unusual.append(one)
    return outcomes, unusual


def _is_new(one: Timed, first: dict[str, Timed], fresh: set[str]) -> bool:
    return one.claim.tap.id in fresh and first[one.claim.tap.id] is one


def _states(
    tx: Tx, batch: _Batch, outcomes: Sequence[Outcome], unusual: Sequence[Timed], standings: dict[str, int]
) -> dict[str, State]:
    """How every stamp of the batch stands now."""
    states: dict[str, State] = {}
    rest: dict[str, Timed] = {}
    touched = {one.claim.tap.id for one in unusual}
    for one, outcome in zip(batch.timed, outcomes, strict=True):
        tap_id = one.claim.tap.id
        if tap_id in standings:
            states[tap_id] = state_of(standings[tap_id])
        elif outcome != "stored" or tap_id in touched:
            rest[tap_id] = one
        elif one.company_id is None:
            states[tap_id] = "held_assignment"
        elif tap_id in batch.unheld:
            states[tap_id] = state_of(batch.unheld[tap_id])
        else:
            rest[tap_id] = one
    return states | _looked_up(tx, batch, rest) if rest else states


def _looked_up(tx: Tx, batch: _Batch, rest: dict[str, Timed]) -> dict[str, State]:
    """The states of stamps that this batch did not derive: they are where their facts put them, with few exceptions."""
    expected = [
        Where(one.company_id, batch.tag_nos[one.company_id][spelled(one.claim.tap.tag)], one.at_ms, id_)
        for id_, one in rest.items()
        if one.company_id is not None
    ]
    found = ledger.standings(tx, expected)
    missing = [id_ for id_ in rest if id_ not in found]
    if missing:
        receipts = ledger.receipts(tx, missing)
        elsewhere = [(one.tag_no, id_) for id_, one in receipts.items() if one.tag_no is not None]
        found |= {one.where.id: one.standing for one in ledger.standing_under(tx, elsewhere)}
    return {id_: state_of(found[id_]) if id_ in found else "held_assignment" for id_ in rest}
