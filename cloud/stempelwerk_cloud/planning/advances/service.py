"""Use cases of advances: an employee asks for an advance; an administrator approves or declines it once.

Every decision holds the lock of the company's plan, so that a person has one pending advance at most, and an advance
one decision.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN
from stempelwerk_cloud.people.directory.people import deciders_of, names_of
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.advances import queries, words
from stempelwerk_cloud.planning.advances.tables import Advance

REQUESTED = Action("advance.requested")
APPROVED = Action("advance.approved")
DECLINED = Action("advance.declined")

MESSAGE = "advance_response"
RETENTION = timedelta(days=10 * 366)
"""How long an advance is stored after its decision: it is a payroll record."""


class AdvanceView(NamedTuple):
    """An advance with the usernames of its person and of the administrator who decided."""

    id: str
    user_id: str
    username: str
    cents: int
    reason: str | None
    asked_at: datetime
    decided_at: datetime | None
    decided_by: str | None
    approved: bool | None


def ask(work: UnitOfWork, user_id: str, cents: int, reason: str) -> AdvanceView:
    """Asks for an advance for the caller. 422 for an amount out of bounds, 409 while another advance is pending."""
    company_id = work.caller.company_id
    if not words.LEAST_CENTS <= cents <= words.MOST_CENTS:
        raise words.wrong_amount()
    work.plan(company_id)
    if queries.pending(work.session, company_id, user_id):
        raise words.already_pending()
    row = Advance(
        company_id=company_id, id=work.new_id(), user_id=user_id, cents=cents, reason=reason, asked_at=work.now()
    )
    work.session.add(row)
    work.session.flush()
    _log(work, REQUESTED, row)
    return _views(work, company_id, [row])[0]


def decide(work: UnitOfWork, advance_id: str, *, approved: bool) -> AdvanceView:
    """Approves or declines an advance, and notifies its person. 404 for an unknown one, 409 if it was decided."""
    row = requests.find(work, Advance, advance_id)
    if row.decided_at is not None:
        problem = words.already_decided(requests.decider_of(work, row))
        problem.extra["decidedAt"] = format_instant(row.decided_at)
        raise problem
    row.approved, row.decided_at, row.decided_by = approved, work.now(), work.actor_id
    work.session.flush()
    _log(work, APPROVED if approved else DECLINED, row)
    payload = {"status": "approved" if approved else "declined"}
    messages.send(work, row.company_id, [row.user_id], MESSAGE, *words.decided(row.cents, approved=approved), payload)
    return _views(work, row.company_id, [row])[0]


def of_person(work: UnitOfWork, user_id: str, page_request: PageRequest) -> list[AdvanceView]:
    """Returns a page of the caller's advances, newest first, and one more if more follow."""
    company_id = work.caller.company_id
    return _views(work, company_id, queries.of_person(work.session, company_id, user_id, page_request))


def pending(work: UnitOfWork, company_id: str) -> list[AdvanceView]:
    """Returns the company's pending advances, oldest first."""
    return _views(work, company_id, queries.pending(work.session, company_id))


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the live topics of a subscriber: their own advances, and for an administrator those of the company."""
    own = [_topic(hearer.company_id, hearer.user_id)]
    return [*own, _topic(hearer.company_id)] if hearer.role == COMPANY_ADMIN else own


def _topic(*ids: str) -> str:
    return ":".join(("advances", *ids))


def _log(work: UnitOfWork, action: Action, row: Advance) -> None:
    """Writes the decision into the log, and notifies open pages."""
    work.audit(row.company_id, action, row.id, new_values={"userId": row.user_id, "cents": row.cents})
    topics = [_topic(row.company_id, row.user_id), _topic(row.company_id)]
    work.platform.live.publish(work.session, topics, {"type": "advances_update"})


def _views(work: UnitOfWork, company_id: str, rows: Iterable[Advance]) -> list[AdvanceView]:
    found = list(rows)
    names = names_of(work.session, company_id, [row.user_id for row in found])
    deciders = deciders_of(work.session, company_id, [row.decided_by for row in found])
    return [
        AdvanceView(
            row.id,
            row.user_id,
            names[row.user_id],
            row.cents,
            row.reason,
            row.asked_at,
            row.decided_at,
            deciders.get(row.decided_by),
            row.approved,
        )
        for row in found
    ]
