"""The operator log: records actions of system administrators and of server commands, and attempts at their logins.

A row belongs to the transaction of its action: both are committed or neither. `service.append` adds the rows of
decisions in audit logs; `note` adds events that no audit log has.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.clock import Ids
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.tables import OperatorEntry
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.directory.companies import find_company
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.tables import key as name_key

RETENTION = timedelta(days=2 * 366)


class Operator(NamedTuple):
    """A system administrator who calls from `network` (shortened), or a command on the server (`id` None)."""

    id: str | None
    name: str
    network: str = ""


SERVER = Operator(None, "Server")


def of_user(user: User, network: str) -> Operator | None:
    """Returns the person as an operator; None unless they are a system administrator."""
    return Operator(user.id, user.username, network) if user.role == ADMIN else None


def note(
    session: Session,
    ids: Ids,
    now: datetime,
    operator: Operator,
    action: Action,
    *,
    company_id: str | None = None,
    subject: str | None = None,
    entry: str | None = None,
) -> None:
    """Adds a row to the operator log in this transaction. `entry`: the decision's id in the company's audit log."""
    company = None if company_id is None else find_company(session, company_id)
    company_name = None if company is None else company.name
    session.add(
        OperatorEntry(
            id=ids.new(),
            at=now,
            actor=operator.id,
            actor_name=operator.name,
            action=action,
            company=company_id,
            company_name=company_name,
            subject=subject,
            entry=entry,
            network=operator.network,
            words=name_key(f"{operator.name} {company_name or ''} {subject or ''} {operator.network}"),
        )
    )
