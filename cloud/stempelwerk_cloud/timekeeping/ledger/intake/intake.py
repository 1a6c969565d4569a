"""Intake of delivered stamps: stores each stamp once, places it, and derives the affected entries, in one transaction.

In the usual case all stamps are new and change the place of no existing stamp. Then the intake is planned in memory,
with what the process remembers of the companies. On PostgreSQL that takes two messages for any number of batches. The
first takes the locks and reads the known ids and the surroundings. The second sends all writes; many receipts are
copied before.

Two unusual cases go to `reprocessing.py`: an id that exists with other content or from another device, and an anchor
that moves existing stamps. They need other locks (`RetryWithAllLocks`). The caller holds the locks of the devices. Each
device delivers one batch, and no two batches share an id.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, NamedTuple

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.statements import Asked, RowBuffer
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation, derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation import Change, Person, merge_change
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import (
    EntriesWanted,
    NotRemembered,
    StampRow,
    StampsWanted,
    numbers,
)
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import existing_numbers as numbers_known
from stempelwerk_cloud.timekeeping.ledger.deriving.stretch import REACHES_MS
from stempelwerk_cloud.timekeeping.ledger.intake import arrivals, figures, queries
from stempelwerk_cloud.timekeeping.ledger.intake.arrivals import FreshReceipt
from stempelwerk_cloud.timekeeping.ledger.intake.queries import Opened, StampKey
from stempelwerk_cloud.timekeeping.ledger.placing import anchoring, facts, reprocessing
from stempelwerk_cloud.timekeeping.ledger.placing.facts import BootFacts, DeviceFacts
from stempelwerk_cloud.timekeeping.ledger.placing.ownership import normalize_tag
from stempelwerk_cloud.timekeeping.ledger.placing.placement import Placed, Timed, offset_ms, place_claim, timed
from stempelwerk_cloud.timekeeping.ledger.placing.reprocessing import RetryWithAllLocks
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Anchor, Claim, Tap
from stempelwerk_cloud.timekeeping.status_bits import CONFLICT, State, state_for_clock, waits
from stempelwerk_cloud.timekeeping.tx import Tx

Outcome = Literal["stored", "duplicate", "variant"]


class Taken(NamedTuple):
    """The outcome of a delivered stamp, and the stamp's current state.

    The outcome is `stored` for a new stamp, `duplicate` for a repetition, and `variant` for a known id with other
    content.
    """

    outcome: Outcome
    state: State


class Delivered(NamedTuple):
    """One batch of a device: its stamps and its time anchors, all of the same epoch."""

    device: DeviceFacts
    epoch: str
    taps: Sequence[Tap]
    anchors: Sequence[Anchor]


_Around = tuple[list[StampsWanted], list[EntriesWanted]]


@dataclass(slots=True)
class _Intake:
    """The batches of an intake with everything that is known about them.

    `first` has one claim for each id: the first one, if an id occurs twice. `inputs`, `tag_nos` and `people` have a key
    for each company.
    """

    devices: dict[int, DeviceFacts]
    timed: list[Timed]
    first: dict[str, Timed]
    inputs: dict[str, DerivationInputs] = field(default_factory=dict)
    tag_nos: dict[str, dict[str, int]] = field(default_factory=dict)
    placed_by_id: dict[str, Placed] = field(default_factory=dict)
    people: dict[str, list[Person]] = field(default_factory=dict)


def receive(tx: Tx, writing: RowBuffer, delivered: Sequence[Delivered]) -> list[list[Taken]]:
    """Stores the stamps of several devices; returns one list for each batch, with one `Taken` for each stamp, in their
    order.

    The writes are collected in `writing`. Raises RetryWithAllLocks if the unusual cases need locks that are not held.
    """
    news = [(batch.device, facts.add_anchors(tx, writing, batch.device, batch.anchors)) for batch in delivered]
    intake = _intake(tx, delivered)
    if tx.full_locking or _moving(news):
        reprocessing.take_locks(tx, sorted(intake.devices), intake.first)
    opened = _open(tx, intake)
    fresh = intake.first.keys() - opened.known_ids
    arrivals.give_receipts(writing, _receipts(intake, fresh))
    statuses = _derive(tx, writing, intake, opened, fresh)
    outcomes, unusual = _outcomes(tx, intake, fresh)
    stored = (timed_claim for outcome, timed_claim in zip(outcomes, intake.timed, strict=True) if outcome == "stored")
    figures.count(tx, outcomes, [tx.now_ms - timed_claim.at_ms for timed_claim in stored])
    _note_boots(writing, [*(timed_claim for id_, timed_claim in intake.first.items() if id_ in fresh), *unusual])
    moving = _moving(news)
    if unusual or moving:
        if tx.locked_companies is None or not tx.locked_ids.issuperset(
            {timed_claim.claim.tap.id for timed_claim in unusual} - fresh
        ):
            raise RetryWithAllLocks
        writing.flush(tx.sql)
        changes: reprocessing.Changes = {}
        for device in intake.devices.values():
            reprocessing.settle(
                tx,
                device,
                [timed_claim.claim for timed_claim in unusual if timed_claim.claim.device_no == device.no],
                changes,
            )
        for device, anchor in moving:
            reprocessing.follow_anchor(tx, device, anchor, changes)
        statuses |= reprocessing.derive(tx, changes)
    states = _states(tx, intake, outcomes, {timed_claim.claim.tap.id for timed_claim in unusual}, statuses)
    taken_stamps = iter(
        Taken(outcome, states[timed_claim.claim.tap.id])
        for outcome, timed_claim in zip(outcomes, intake.timed, strict=True)
    )
    return [list(islice(taken_stamps, len(batch.taps))) for batch in delivered]


def recall(tx: Tx, delivered: Delivered) -> list[Taken]:
    """Returns the current states of stamps that an earlier delivery stored; writes nothing to the database."""
    intake = _intake(tx, [delivered])
    for company_id, tags in _tags(intake).items():
        intake.tag_nos[company_id] = numbers_known(tx, "tag", company_id, tags)
    states = _looked_up(tx, intake, intake.first)
    figures.count(tx, ["duplicate"] * len(delivered.taps))
    return [Taken("duplicate", states[tap.id]) for tap in delivered.taps]


def _intake(tx: Tx, delivered: Sequence[Delivered]) -> _Intake:
    ordered = [
        timed(tx, batch.device, Claim(batch.device.no, batch.epoch, tx.now_ms, tap))
        for batch in delivered
        for tap in batch.taps
    ]
    first = {timed_claim.claim.tap.id: timed_claim for timed_claim in reversed(ordered)}
    return _Intake({batch.device.no: batch.device for batch in delivered}, ordered, first)


def _tags(intake: _Intake) -> dict[str, set[str]]:
    """Returns the tags of the delivered stamps by company, in the order of the companies' ids."""
    tags: dict[str, set[str]] = {}
    for timed_claim in intake.timed:
        if timed_claim.company_id is not None:
            tags.setdefault(timed_claim.company_id, set()).add(normalize_tag(timed_claim.claim.tap.tag))
    return dict(sorted(tags.items()))


def _moving(news: Iterable[tuple[DeviceFacts, list[Anchor]]]) -> list[tuple[DeviceFacts, Anchor]]:
    return [(device, anchor) for device, anchors in news for anchor in anchors if reprocessing.may_move(device, anchor)]


def _open(tx: Tx, intake: _Intake) -> Opened:
    """Takes the locks for the derivation; returns the known ones of the ids, and the rows around the new stamps.

    The companies' rules are locked in shared mode, the entries of the affected people exclusively. The memory of the
    process is used if it is enough to determine the affected entries; otherwise the rules of all companies are locked
    first. Raises RetryWithAllLocks if the remembered inputs are of another revision.
    """
    tags = _tags(intake)
    locked: list[Asked] = []
    if tx.locked_companies is not None:
        intake.inputs = {company_id: tx.locked_companies[company_id] for company_id in tags}
        around = _plan(tx, intake, tags)
    else:
        around = _plan_from_memory(tx, intake, tags) or _plan_with_rules(tx, intake, tags)
        entry_locks = [(Lock.ENTRIES, person.user_id, False) for people in intake.people.values() for person in people]
        locked = [
            locks.lock_request(tx.session, [*((Lock.RULES, company_id, True) for company_id in tags), *entry_locks])
        ]
    revisions = {company_id: inputs.revision for company_id, inputs in intake.inputs.items()}
    opened = queries.open_batch(tx, locked, intake.first, revisions, *around)
    if opened is None:
        for company_id in tags:
            derivation_inputs.forget(tx, company_id)
        raise RetryWithAllLocks
    return opened


def _plan_from_memory(tx: Tx, intake: _Intake, tags: dict[str, set[str]]) -> _Around | None:
    """Calls `_plan` with remembered inputs only; None if they are not enough."""
    remembered_inputs = {company_id: derivation_inputs.remembered(tx, company_id) for company_id in tags}
    intake.inputs = {company_id: inputs for company_id, inputs in remembered_inputs.items() if inputs is not None}
    if len(intake.inputs) < len(tags):
        return None
    tx.from_memory = True
    try:
        return _plan(tx, intake, tags)
    except NotRemembered:
        return None
    finally:
        tx.from_memory = False


def _plan_with_rules(tx: Tx, intake: _Intake, tags: dict[str, set[str]]) -> _Around:
    """Calls `_plan` with inputs from the database, with the companies' rules locked against changes."""
    intake.inputs = {company_id: derivation_inputs.keep(tx, company_id) for company_id in tags}
    return _plan(tx, intake, tags)


def _plan(tx: Tx, intake: _Intake, tags: dict[str, set[str]]) -> _Around:
    """Places the stamps and determines the affected people; returns the stamps and entries that must be read around
    them.
    """
    stamps: list[StampsWanted] = []
    entries: list[EntriesWanted] = []
    for company_id, inputs in intake.inputs.items():
        inputs.need_tags(tx, tags[company_id])
        intake.tag_nos[company_id] = numbers(tx, "tag", company_id, tags[company_id])
        people = intake.people[company_id] = derivation.affected(tx, inputs, _place(tx, intake, inputs))
        some, entry_requests = derivation.plan_reads(tx, inputs, people, REACHES_MS[0], len(entries))
        stamps += some
        entries += entry_requests
    return stamps, entries


def _place(tx: Tx, intake: _Intake, inputs: DerivationInputs) -> dict[str, Change]:
    """Places this company's stamps; returns the span of changes (first and last instant) of each affected person."""
    changes: dict[str, Change] = {}
    tag_nos = intake.tag_nos[inputs.company_id]
    for id_, timed_claim in intake.first.items():
        if timed_claim.company_id == inputs.company_id:
            placement = intake.placed_by_id[id_] = place_claim(
                tx, intake.devices[timed_claim.claim.device_no], timed_claim, inputs, tag_nos
            )
            if placement.user_id is not None:
                merge_change(changes, placement.user_id, placement.row.at, placement.row.at)
    return changes


def _receipts(intake: _Intake, fresh: Collection[str]) -> list[FreshReceipt]:
    return [
        FreshReceipt(
            id_,
            intake.first[id_].claim.device_no,
            intake.first[id_].claim.tap.digest,
            intake.placed_by_id[id_].row.tag_no if id_ in intake.placed_by_id else None,
        )
        for id_ in fresh
    ]


def _derive(tx: Tx, writing: RowBuffer, intake: _Intake, opened: Opened, ids: Collection[str]) -> dict[str, int]:
    """Derives the entries that the new stamps affect, and adds stamps and entries to `writing`.

    Returns the status of each derived stamp, by id.
    """
    fresh = {id_: placement for id_, placement in intake.placed_by_id.items() if id_ in ids}
    statuses: dict[str, int] = {}
    first = 0
    for company_id, people in intake.people.items():
        _hand_out(people, fresh, company_id)
        last = first + len(people)
        stamps = [row for row in opened.stamps if first <= row.n < last]
        numbers_here = {person.no for person in people}
        derivation.take(people, stamps, [row for row in opened.entries if row.person_no in numbers_here], first)
        with_news = [person for person in people if person.pending]
        difference = derivation.derive_people(tx, intake.inputs[company_id], with_news)
        derivation.write(tx, writing, company_id, difference)
        statuses |= difference.statuses
        first = last
    for id_, (row, _) in fresh.items():
        row.status = statuses.setdefault(id_, row.status)
        row.waits = waits(row.status)
    held_in = sorted({row.company_id for row, _ in fresh.values() if row.waits})
    if held_in:  # no entry announces these
        topics = [derivation.topic(company_id) for company_id in held_in]
        tx.platform.live.publish(tx.session, topics, {"type": "times_update"})
    queries.insert(writing, [row for row, _ in fresh.values()])
    queries.insert_unassigned(
        tx,
        writing,
        [timed_claim for id_, timed_claim in intake.first.items() if id_ in ids and id_ not in intake.placed_by_id],
    )
    return statuses


def _hand_out(people: Iterable[Person], fresh: dict[str, Placed], company_id: str) -> None:
    """Assigns the new stamps to their people."""
    by_user = {person.user_id: person for person in people}
    for row, user_id in fresh.values():
        if user_id is not None and row.company_id == company_id:
            stamp = StampRow(row.at, row.id, row.tag_no, row.reported_bits, row.status, row.stream_no, row.seq)
            by_user[user_id].pending.append(stamp)


def _note_boots(writing: RowBuffer, fresh: Iterable[Timed]) -> None:
    """Widens the bounds of the boots by their new stamps and by new claims to known ids; writes the boots
    that changed.
    """
    offsets: dict[int, list[int]] = {}
    boots: dict[int, BootFacts] = {}
    changed: dict[int, BootFacts] = {}
    for timed_claim in fresh:
        boots[timed_claim.boot.no] = timed_claim.boot
        if timed_claim.is_settled:
            offsets.setdefault(timed_claim.boot.no, []).append(offset_ms(timed_claim.claim.tap))
        elif not timed_claim.boot.unsettled:
            timed_claim.boot.unsettled = True
            changed[timed_claim.boot.no] = timed_claim.boot
    for no, seen_offsets in offsets.items():
        boot = boots[no]
        bounds = anchoring.widened(boot.low_ms, boot.high_ms, seen_offsets)
        if bounds != (boot.low_ms, boot.high_ms):
            boot.low_ms, boot.high_ms = bounds
            changed[no] = boot
    for boot in changed.values():
        facts.write_boot(writing, boot)


def _outcomes(tx: Tx, intake: _Intake, fresh: set[str]) -> tuple[list[Outcome], list[Timed]]:
    """Returns the outcome of each stamp, and the claims that are new for an id which already has a claim."""
    if len(fresh) == len(intake.timed):
        return ["stored"] * len(fresh), []
    known_ids = {timed_claim.claim.tap.id for timed_claim in intake.timed if not _is_new(timed_claim, intake, fresh)}
    receipts = arrivals.receipts(tx, known_ids - fresh)
    claims = arrivals.claims(tx, known_ids - fresh)
    digests_by_id = {
        id_: {(receipt.device_no, receipt.digest)}
        | {(claim.device_no, claim.tap.digest) for claim in claims.get(id_, ())}
        for id_, receipt in receipts.items()
    }
    for id_ in known_ids & fresh:  # twice in this intake: its first claim has no receipt yet
        first = intake.first[id_].claim
        digests_by_id[id_] = {(first.device_no, first.tap.digest)}
    outcomes: list[Outcome] = []
    unusual: list[Timed] = []
    for timed_claim in intake.timed:
        tap = timed_claim.claim.tap
        if _is_new(timed_claim, intake, fresh):
            outcomes.append("stored")
            continue
        known_digests = digests_by_id[tap.id]
        outcomes.append("duplicate" if any(tap.digest == digest for _, digest in known_digests) else "variant")
        if (timed_claim.claim.device_no, tap.digest) not in known_digests:
            known_digests.add((timed_claim.claim.device_no, tap.digest))
            unusual.append(timed_claim)
    return outcomes, unusual


def _is_new(timed_claim: Timed, intake: _Intake, fresh: set[str]) -> bool:
    return timed_claim.claim.tap.id in fresh and intake.first[timed_claim.claim.tap.id] is timed_claim


def _states(
    tx: Tx, intake: _Intake, outcomes: Sequence[Outcome], touched: set[str], statuses: dict[str, int]
) -> dict[str, State]:
    """Returns the current state of every delivered stamp, by id."""
    states: dict[str, State] = {}
    remaining: dict[str, Timed] = {}
    for timed_claim, outcome in zip(intake.timed, outcomes, strict=True):
        id_ = timed_claim.claim.tap.id
        if id_ in statuses and id_ not in touched:
            states[id_] = state_for_clock(statuses[id_])
        elif outcome == "stored" and id_ not in touched:
            states[id_] = "held_assignment"
        else:
            remaining[id_] = timed_claim
    return states | _looked_up(tx, intake, remaining) if remaining else states


def _looked_up(tx: Tx, intake: _Intake, remaining: dict[str, Timed]) -> dict[str, State]:
    """Reads the states of stamps that this batch did not derive, by id.

    Most of them are stored under the key that follows from their facts. The few others are found by their receipts.
    """
    expected = [
        StampKey(
            timed_claim.company_id,
            intake.tag_nos[timed_claim.company_id][normalize_tag(timed_claim.claim.tap.tag)],
            timed_claim.at_ms,
            id_,
        )
        for id_, timed_claim in remaining.items()
        if timed_claim.company_id is not None
        and normalize_tag(timed_claim.claim.tap.tag) in intake.tag_nos[timed_claim.company_id]
    ]
    statuses = queries.statuses(tx, expected)
    missing = [id_ for id_ in remaining if id_ not in statuses]
    if missing:
        receipts = arrivals.receipts(tx, missing)
        elsewhere = [(receipt.tag_no, id_) for id_, receipt in receipts.items() if receipt.tag_no is not None]
        for stored in queries.stored_under(tx, elsewhere):
            company_id = remaining[stored.where.id].company_id
            # In another company than the claim's: the claim lost, and that company's state is not disclosed to this
            # clock.
            statuses[stored.where.id] = stored.status if company_id in (None, stored.where.company_id) else CONFLICT
    return {id_: state_for_clock(statuses[id_]) if id_ in statuses else "held_assignment" for id_ in remaining}
