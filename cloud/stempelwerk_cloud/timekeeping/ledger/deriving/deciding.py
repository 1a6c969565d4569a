"""Audit actions of times. Use cases on entries (decisions with their derivation, the rebuild), and the interface for
other rooms to read entries.

- `of_person`, `of_people`, `of_company` and `of_days` return entries as values. `first_days` returns the dates of
  people's first entries, `count_entries` the number of entries.
- `minutes_by_month`, `minutes_on`, `minutes_within` and `worked_days` return the sums that time accounts need.
- `find_entry` returns the person of an entry. `around` returns the facts and entries around some instants, for
  validating a decision before it is made. `filing_of` returns the days that stamps are listed under.
- `ensure_not_purged` refuses days whose times have been purged; `recorded_of` reads that bound and a person's first
  day at once, for `ensure_retained`.
- `derivation_inputs` are the inputs of a company's derivation, for validating decisions. `settings` are a company's
  settings for its times.

`merge_api` has what `stamps` and the calls of clocks additionally need.
"""

from dataclasses import dataclass

from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.islands import reach_of, span_of
from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database.statements import RowBuffer
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.audit.service import Action
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger import decisions, settings
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation, derivation_inputs, queries
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.surroundings import Surroundings, around, filing_of
from stempelwerk_cloud.timekeeping.ledger.purged import (
    ensure_available,
    ensure_not_purged,
    ensure_retained,
    is_purged,
    retained_from,
    set_retained_from,
)
from stempelwerk_cloud.timekeeping.times.reading.finding import EntryPlace, find_entry
from stempelwerk_cloud.timekeeping.times.reading.values import (
    EntryValue,
    Recorded,
    count_entries,
    first_days,
    of_company,
    of_days,
    of_people,
    of_person,
    recorded_of,
    shift_day,
    shifts,
)
from stempelwerk_cloud.timekeeping.times.reading.worked import (
    WorkedDay,
    flags_between,
    minutes_by_month,
    minutes_on,
    minutes_within,
    worked_days,
)
from stempelwerk_cloud.timekeeping.times.review import review
from stempelwerk_cloud.timekeeping.times.review.review import confirmed
from stempelwerk_cloud.timekeeping.tx import Tx

CORRECTION_APPROVED = Action("correction.approved")
ENTRY_DELETED = Action("entry.deleted")
CONFIRMED = Action("entry.confirmed")


__all__ = [
    "DerivationInputs",
    "EntryPlace",
    "EntryValue",
    "Rebuilt",
    "Recorded",
    "Surroundings",
    "WorkedDay",
    "around",
    "confirmed",
    "correct",
    "count_entries",
    "derivation",
    "derivation_inputs",
    "ensure_available",
    "ensure_not_purged",
    "ensure_retained",
    "filing_of",
    "find_entry",
    "first_days",
    "flags_between",
    "is_purged",
    "minutes_by_month",
    "minutes_on",
    "minutes_within",
    "of_company",
    "of_days",
    "of_people",
    "of_person",
    "rebuild",
    "recorded_of",
    "retained_from",
    "review",
    "set_retained_from",
    "settings",
    "shift_day",
    "shifts",
    "void",
    "worked_days",
]


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
