"""What administrators do about entries that somebody should look at: they leave one as it is, or remind its person.

To correct or to delete one is in `corrections`.
"""

from collections.abc import Collection
from datetime import date
from typing import Any

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.timekeeping.entries import actions, problems, review
from stempelwerk_cloud.timekeeping.entries.finding import find_entry
from stempelwerk_cloud.timekeeping.entries.review import Reviewed
from stempelwerk_cloud.timekeeping.entries.tables import ReviewConfirmation
from stempelwerk_cloud.timekeeping.status_bits import confirmed_bits

REMINDER = "review"
MISSING = {"missing_in": "fehlt das Kommen", "missing_out": "fehlt das Gehen"}
"""What a reminder says; of other flags it says that something is not right."""


def confirm(work: Work, company_id: str, entry_id: str, flags: Collection[str], comment: str) -> list[str]:
    """Leaves these flags of an entry as they are; what there still is to look at about it.

    404 unknown; 409 if one of them is not to be looked at (any more): the entry has changed, or somebody was quicker.
    """
    reviewed = _to_review(work, company_id, entry_id)
    if not set(flags) <= set(reviewed.flags):
        raise problems.not_to_confirm()
    confirmation = work.session.get(ReviewConfirmation, (company_id, entry_id), populate_existing=True)
    if confirmation is None:
        confirmation = ReviewConfirmation(company_id=company_id, entry_id=entry_id, bits=0)
        work.session.add(confirmation)
    confirmation.bits |= confirmed_bits(flags)
    confirmation.confirmed_at, confirmation.confirmed_by = work.now(), work.by
    work.session.flush()
    confirmed_flags = [flag for flag in reviewed.flags if flag in flags]
    audit_values: dict[str, Any] = {"userId": reviewed.user_id, "date": str(reviewed.date), "flags": confirmed_flags}
    if comment:
        audit_values["comment"] = ErasableText(comment, reviewed.user_id)
    work.audit(company_id, actions.CONFIRMED, entry_id, after=audit_values)
    work.platform.live.publish(work.session, [f"plan:{company_id}"], {"type": "plan_update"})
    return [flag for flag in reviewed.flags if flag not in flags]


def remind(work: Work, company_id: str, entry_id: str) -> None:
    """Tells the entry's person what there is to look at; while they have not read it, they are told no second time."""
    reviewed = _to_review(work, company_id, entry_id)
    day = german.written_day(date.fromisoformat(str(reviewed.date)))
    missing = " und ".join(MISSING[flag] for flag in reviewed.flags if flag in MISSING)
    body = f"In deinen Zeiten vom {day} {missing or 'stimmt etwas nicht'}. Bitte stelle einen Korrekturantrag."
    payload = {"date": str(reviewed.date), "entryId": entry_id}
    messages.send_about(
        work, company_id, [reviewed.user_id], REMINDER, "Bitte prüfe deine Zeiten", body, payload, about="entryId"
    )


def _to_review(work: Work, company_id: str, entry_id: str) -> Reviewed:
    """The entry with what there is to look at, which nobody else decides about. 404 unknown, 409 nothing to look at."""
    work.company(company_id)
    directory.lock_rules(work.session, company_id)
    if find_entry(work.session, entry_id, company_id) is None:
        raise not_found()
    ports = (work.platform.worked_on_leave, work.platform.days_off)
    reviewed = review.find(work.session, company_id, entry_id, work.now(), ports)
    if reviewed is None:
        raise problems.not_to_confirm()
    return reviewed
