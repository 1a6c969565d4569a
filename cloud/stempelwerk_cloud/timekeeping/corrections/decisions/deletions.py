"""Deletion of an entry: its stamps and its interval no longer count. The facts remain, and the audit log names the
actor.

An open request that names the entry remains. The administrator who decides it sees the times as they are then.
"""

from stempelwerk_cloud.domain.entries.deletions import may_delete, void_of
from stempelwerk_cloud.domain.instants import local_hhmm, ms_of
from stempelwerk_cloud.kit.http.problems import forbidden, not_found
from stempelwerk_cloud.people.directory.callers import ADMIN, USER
from stempelwerk_cloud.people.directory.companies import settings_on, today_of
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.corrections import words
from stempelwerk_cloud.timekeeping.corrections.decisions import notifications
from stempelwerk_cloud.timekeeping.corrections.decisions.judging import decided_at
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding, derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.surroundings import around
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged
from stempelwerk_cloud.timekeeping.times.reading.finding import EntryPlace, find_entry
from stempelwerk_cloud.timekeeping.tx import Tx


def delete(work: UnitOfWork, entry_id: str) -> None:
    """Deletes an entry. Employees may delete their own, if the company allows it, administrators any of the company.

    404 for an unknown entry or another company's. 403 for a colleague's, or if the company does not allow it. 409 while
    it runs, or if times of its day have been purged.
    """
    place = _find_deletable(work, entry_id)
    company_id, user_id = place.company_id, place.user_id
    work.rules(company_id)
    tx = Tx(work.session, work.platform)
    inputs = derivation_inputs.lock_and_read(tx, company_id)
    place = _find_deletable(work, entry_id)  # again, now that no other transaction can derive
    if (place.company_id, place.user_id) != (company_id, user_id):
        raise not_found()
    now = work.now()
    if work.caller.role == USER and not _employees_may(work, company_id):
        raise words.deleting_is_off()
    facts = around(tx, inputs, user_id, (ms_of(place.known_at), ms_of(place.end or place.known_at)))
    entry = next(candidate for candidate in facts.sheet.entries if candidate.id == entry_id)
    ensure_not_purged(work.session, company_id, entry.date)
    if not may_delete(entry, now, inputs.rules):
        raise words.entry_runs()
    void = void_of(
        entry, facts.sheet, facts.stamps, inputs.rules, void_id=work.new_id(), decided_at=decided_at(facts, now)
    )
    deciding.void(work, company_id, user_id, void)
    if work.caller.role == USER:
        zone = inputs.rules.at(entry.known_at).zone
        start, end = (
            None if instant is None else local_hhmm(instant, zone) for instant in (entry.start_at, entry.end_at)
        )
        title, body = words.entry_deleted(work.caller.username, entry.date, start, end)
        subject_ids = {"userId": user_id}
        notifications.notify_administrators(work, company_id, title, body, "deletion", entry.date, subject_ids)
    notifications.changed(work, company_id, user_id)


def _find_deletable(work: UnitOfWork, entry_id: str) -> EntryPlace:
    """Returns the entry. 404 unless it is in the caller's company, 403 if it is a colleague's."""
    caller = work.caller
    place = find_entry(work.session, entry_id, None if caller.role == ADMIN else caller.company_id)
    if place is None:
        raise not_found()
    if caller.role == USER and place.user_id != caller.user_id:
        raise forbidden()
    return place


def _employees_may(work: UnitOfWork, company_id: str) -> bool:
    today = today_of(work.session, company_id, work.now())
    return settings_on(work.session, company_id, today)[settings.EMPLOYEES_MAY_DELETE]
