"""The access log: which administrator read whose times. It is written at the read, and only the works council sees it.

There is one row per actor, call, person and clock hour, so reloading a page writes nothing. Reads by employees,
including the works council, are not recorded (BetrVG § 78), nor are administrators' reads of their own data.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import pages
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.tables import AccessLook
from stempelwerk_cloud.people.directory.callers import USER, Caller

LookKind = Literal["times", "account", "statement", "review", "attendance", "corrections", "held", "absences"]
"""The kind of times or absences that a call shows."""

RETENTION = timedelta(days=2 * 366)

_NAMES = uuid.UUID("0d9d0a52-6f0c-5d1c-9f0e-3c9b8f0f6e11")


def note(platform: Platform, caller: Caller, look_kind: LookKind, user_id: str | None) -> None:
    """Writes an administrator's read of a person's times into the access log, before the read. `user_id` None: of the
    whole company's.
    """
    if caller.role == USER or user_id == caller.user_id:
        return
    now, company_id = platform.clock.now(), caller.subject_company_id
    hour = now.replace(minute=0, second=0, microsecond=0)
    # The id is derived from all values: a repeated read finds the row by it, and of two parallel ones one writes.
    look_id = str(uuid.uuid5(_NAMES, f"{company_id} {caller.user_id} {look_kind} {user_id} {hour.isoformat()}"))
    with platform.database.read(of_company(company_id)) as session:
        if session.get(AccessLook, (company_id, look_id)) is not None:
            return
    row = {"id": look_id, "at": now, "actor": caller.user_id, "what": look_kind, "subject": user_id}
    with platform.database.write(of_company(company_id)) as session:
        session.execute(upsert(session, AccessLook).values(company_id=company_id, **row).on_conflict_do_nothing())


def page(
    session: Session, company_id: str, start: datetime | None, end: datetime | None, page_request: PageRequest
) -> Sequence[AccessLook]:
    """Returns a page of the entries from `start` until before `end`, newest first. Raises NoSuchRow."""
    query = select(AccessLook.id, AccessLook.at, AccessLook.actor, AccessLook.what, AccessLook.subject)
    conditions: list[ColumnElement[bool]] = [] if start is None else [AccessLook.at >= start]
    conditions += [] if end is None else [AccessLook.at < end]
    company_query = query.where(AccessLook.company_id == company_id)
    return pages.page(session, company_query, conditions, (AccessLook.at, AccessLook.id), page_request, descending=True)
