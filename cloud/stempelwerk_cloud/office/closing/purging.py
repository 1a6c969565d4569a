"""The purge of a closed company's data when its last retention has ended, in one transaction.

A tombstone remains, which states how many rows were purged. It is signed with the key of the statements: that key is in
the backup, and its public half is published. A paper that may be shown to a court should not be signed with a key for
sessions or updates. The ids of the clocks' assignments remain as well, so that late stamps are counted and not stored.
"""

from datetime import date, datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import delete, select, text
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import statement as seals
from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.retention import retained_through
from stempelwerk_cloud.fleet.devices.queries import late_stamps
from stempelwerk_cloud.kit import room
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import COMPANY_PURGED
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.closing import tables
from stempelwerk_cloud.office.closing.schemas import ClosedRow
from stempelwerk_cloud.office.closing.tables import CompanyArchive
from stempelwerk_cloud.office.exports import service as exports
from stempelwerk_cloud.office.records.years import TIMES_YEARS
from stempelwerk_cloud.office.statement.keys import own_key
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.companies import lock_company, lock_rules, settings_on, today_of, zone_of
from stempelwerk_cloud.people.directory.tables import Company, Tombstone
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

FORMAT: Final = "stempelwerk-tombstone/1"
_STAYS: Final = frozenset({"tombstones", "buried_assignments"})
_LOG: Final = "audit_entries"


def kept_until(session: Session, company: Company, now: datetime) -> date:
    """Returns the last day of retention of the company's data, for a closed company or if it were closed now."""
    zone = zone_of(session, company.id, now)
    years = settings_on(session, company.id, local_day(now, zone))[TIMES_YEARS]
    times = retained_through([local_day(company.closed_at or now, zone)], years)
    return max(times, exports.kept_until(session, company.id) or times)


def go_round(platform: Platform) -> bool:
    """Purges the companies whose last retention has ended. A company that fails is logged, and tried again at the next
    run.
    """
    now = platform.clock.now()
    with platform.database.read(SYSTEM) as session:
        purged_ids = select(Tombstone.company_id)
        closed = session.scalars(select(Company).where(Company.closed_at.is_not(None), Company.id.not_in(purged_ids)))
        due = [(company.id,) for company in closed if _is_over(session, company, now)]
    return room.for_each_company("purge_companies", due, partial(purge, platform))


def purge(platform: Platform, company_id: str) -> None:
    """Removes all data of a closed company whose last retention has ended. Only one of several concurrent processes
    does it.
    """
    with unit_of_work(platform, SYSTEM) as work:
        session = work.session
        operator = companies.operator_company(work)
        company = lock_company(session, company_id, shared=False)
        if company is None or company.closed_at is None or session.get(Tombstone, company_id) is not None:
            return
        if not _is_over(session, company, work.now()):
            return
        work.emit(COMPANY_PURGED, company_id=company_id)
        lock_rules(session, company_id)
        tombstone = _buried(work, company)
        work.audit(operator.id, tables.PURGED, company_id, new_values={"digest": seals.digest_of(tombstone.content)})


def _is_over(session: Session, company: Company, now: datetime) -> bool:
    return kept_until(session, company, now) < today_of(session, company.id, now)


def _buried(work: UnitOfWork, company: Company) -> Tombstone:
    session, now, key = work.session, work.now(), own_key(work.platform)
    archive = _last_archive(session, company.id)
    entries, head = audit.head(session, company.id)
    rows = {_LOG: entries} | dict(_removed(session, company.id))
    paper: dict[str, Any] = {
        "format": FORMAT,
        "kid": key.kid,
        "company": {"id": company.id, "name": company.name},
        "createdAt": format_instant(company.created_at),
        "closedAt": format_instant(company.closed_at or now),
        "purgedAt": format_instant(now),
        "auditHead": head.hex(),
        "archive": archive,
        "rows": {name: count for name, count in rows.items() if count},
    }
    tombstone = Tombstone(company_id=company.id, purged_at=now, content=seals.sealed(paper, key.sign))
    session.add(tombstone)
    session.flush()
    log_rows = Base.metadata.tables[_LOG]
    if session.get_bind().dialect.name == "postgresql":  # the service itself may not delete there
        session.execute(text("SELECT bury_audit_entries(CAST(:company AS uuid))"), {"company": company.id})
    else:
        session.execute(delete(log_rows).where(log_rows.c.company_id == company.id))
    return tombstone


def _removed(session: Session, company_id: str) -> list[tuple[str, int]]:
    """Deletes the company's rows, except its audit log; returns (table, number of rows)."""
    session.expire_all()
    counts = []
    for table in reversed(Base.metadata.sorted_tables):
        if "company_id" in table.columns and table.name not in _STAYS | {_LOG}:
            deletion: Any = session.execute(delete(table).where(table.c.company_id == company_id))
            counts.append((table.name, deletion.rowcount))
    return counts


def _last_archive(session: Session, company_id: str) -> dict[str, Any] | None:
    complete_archives = select(CompanyArchive).where(
        CompanyArchive.company_id == company_id, CompanyArchive.ended_at.is_not(None)
    )
    row = session.scalar(complete_archives.order_by(CompanyArchive.id.desc()).limit(1))
    if row is None or row.ended_at is None or row.digest is None:
        return None
    return {"at": format_instant(row.ended_at), "sha256": row.digest.hex()}


def closed(session: Session, now: datetime) -> list[ClosedRow]:
    """Returns the closed companies, newest first."""
    late = late_stamps(session)
    stones = {tombstone.company_id: tombstone for tombstone in session.scalars(select(Tombstone))}
    ended = select(Company).where(Company.closed_at.is_not(None)).order_by(Company.closed_at.desc(), Company.id)
    return [
        ClosedRow.from_row(
            company,
            purge_on=None if stone else kept_until(session, company, now),
            purged_at=stone and stone.purged_at,
            late_stamps=late.get(company.id, 0),
            tombstone=stone and stone.content.decode(),
        )
        for company in session.scalars(ended)
        for stone in (stones.get(company.id),)
    ]
