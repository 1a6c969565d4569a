"""Decisions about entries, each with its derivation, and the rebuild of all entries of a company."""

from dataclasses import dataclass

from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.islands import reach_of, span_of
from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database.statements import RowBuffer
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger import decisions
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation, derivation_inputs, queries
from stempelwerk_cloud.timekeeping.tx import Tx

CORRECTION_APPROVED = Action("correction.approved")
ENTRY_DELETED = Action("entry.deleted")
CONFIRMED = Action("entry.confirmed")


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of a rebuild: the number of derived people, and the ids of the entries and stamps that differed."""

    people: int
    entries: tuple[str, ...]
    stamps: tuple[str, ...]


def correct(work: UnitOfWork, company_id: str, user_id: str, correction: Correction) -> None:
    """Stores an approved correction as a fact, and derives the entries that it concerns."""
    tx = Tx(work.session, work.platform)
    inputs = derivation_inputs.lock_and_read(tx, company_id)
    decisions.add_correction(work.session, company_id, user_id, correction, work.actor_id)
    audit_values = {
        "userId": user_id,
        "date": correction.date.isoformat(),
        "start": format_instant(correction.new_start),
        "end": format_instant(correction.new_end),
        "breakMinutes": correction.break_minutes,
    }
    work.audit(company_id, CORRECTION_APPROVED, correction.id, new_values=audit_values)
    span = span_of(correction, inputs.rules_for(user_id))
    _decided(tx, company_id, user_id, ms_of(span.start), ms_of(span.end))


def void(work: UnitOfWork, company_id: str, user_id: str, deleted: Void) -> None:
    """Stores the deletion of an entry as a fact, and derives the entries that it concerns."""
    tx = Tx(work.session, work.platform)
    inputs = derivation_inputs.lock_and_read(tx, company_id)
    concerned = deleted.stamp_ids | deleted.spared
    stamp_times = [row.at_ms for row in derivation.stamps_of(tx, inputs, user_id) if row.id in concerned]
    decisions.add_void(work.session, company_id, user_id, deleted, work.actor_id)
    was = {"userId": user_id, "start": format_instant(deleted.start), "end": format_instant(deleted.end)}
    work.audit(company_id, ENTRY_DELETED, deleted.id, old_values=was)
    span = reach_of(deleted, (), inputs.rules_for(user_id))
    _decided(tx, company_id, user_id, min([ms_of(span.start), *stamp_times]), max([ms_of(span.end), *stamp_times]))


def rebuild(work: UnitOfWork, company_id: str, *, write: bool = False) -> Rebuilt:
    """Derives all entries of a company from its facts, and compares them with the stored ones.

    Writes the differences only if `write` is set.
    """
    tx = Tx(work.session, work.platform)
    inputs = derivation_inputs.lock_and_read(tx, company_id)
    people = queries.everybody(tx, company_id)
    difference = derivation.compare(tx, inputs, people)
    if write:
        writing = RowBuffer()
        derivation.write(tx, writing, company_id, difference)
        writing.flush(tx.sql)
    differing = [*difference.fresh, *difference.changed, *difference.removed]
    return Rebuilt(
        len(people),
        tuple(sorted({row.id for row in differing})),
        tuple(sorted({change.id for change in difference.status_changes})),
    )


def _decided(tx: Tx, company_id: str, user_id: str, first_ms: int, last_ms: int) -> None:
    derivation_inputs.bump(tx, company_id)
    derivation.refresh(tx, derivation_inputs.lock_and_read(tx, company_id), {user_id: (first_ms, last_ms)})
