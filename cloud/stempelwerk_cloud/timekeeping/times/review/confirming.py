"""Actions of administrators on entries to review: they confirm flags of an entry, or remind its person.

Correcting and deleting an entry is in `corrections`.
"""

from collections.abc import Collection
from datetime import date
from typing import Any

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.companies import lock_rules
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding
from stempelwerk_cloud.timekeeping.ledger.tables import ReviewConfirmation
from stempelwerk_cloud.timekeeping.status_bits import confirmed_bits
from stempelwerk_cloud.timekeeping.times import words
from stempelwerk_cloud.timekeeping.times.reading.finding import find_entry
from stempelwerk_cloud.timekeeping.times.review import review
from stempelwerk_cloud.timekeeping.times.review.review import Reviewed

REMINDER = "review"


def confirm(work: UnitOfWork, company_id: str, entry_id: str, flags: Collection[str], comment: str) -> list[str]:
    """Confirms these flags of an entry; returns the flags that remain to be reviewed.

    404 for an unknown entry. 409 if one of the flags is not open: the entry has changed, or it was confirmed meanwhile.
    """
    reviewed = _to_review(work, company_id, entry_id)
    if not set(flags) <= set(reviewed.flags):
        raise words.not_to_confirm()
    confirmation = work.session.get(ReviewConfirmation, (company_id, entry_id), populate_existing=True)
    if confirmation is None:
        confirmation = ReviewConfirmation(company_id=company_id, entry_id=entry_id, bits=0)
        work.session.add(confirmation)
    confirmation.bits |= confirmed_bits(flags)
    confirmation.confirmed_at, confirmation.confirmed_by = work.now(), work.actor_id
    work.session.flush()
    confirmed_flags = [flag for flag in reviewed.flags if flag in flags]
    audit_values: dict[str, Any] = {"userId": reviewed.user_id, "date": str(reviewed.date), "flags": confirmed_flags}
    if comment:
        audit_values["comment"] = ErasableText(comment, reviewed.user_id)
    work.audit(company_id, deciding.CONFIRMED, entry_id, new_values=audit_values)
    work.platform.live.publish(work.session, [f"plan:{company_id}"], {"type": "plan_update"})
    return [flag for flag in reviewed.flags if flag not in flags]


def remind(work: UnitOfWork, company_id: str, entry_id: str) -> None:
    """Sends the entry's person a reminder that names what is wrong; not again while it is unread."""
    reviewed = _to_review(work, company_id, entry_id)
    title, body = words.reminder(date.fromisoformat(str(reviewed.date)), reviewed.flags)
    payload = {"date": str(reviewed.date), "entryId": entry_id}
    messages.send_about(work, company_id, [reviewed.user_id], REMINDER, title, body, payload, key_member="entryId")


def _to_review(work: UnitOfWork, company_id: str, entry_id: str) -> Reviewed:
    """Returns the entry to review, with the company's rules locked against concurrent decisions.

    404 for an unknown entry, 409 if there is nothing to review.
    """
    work.company(company_id)
    lock_rules(work.session, company_id)
    if find_entry(work.session, entry_id, company_id) is None:
        raise not_found()
    answers = (ports.WORKED_ON_LEAVE.of(work.platform), ports.DAYS_OFF.of(work.platform))
    reviewed = review.find(work.session, company_id, entry_id, work.now(), answers)
    if reviewed is None:
        raise words.not_to_confirm()
    return reviewed
