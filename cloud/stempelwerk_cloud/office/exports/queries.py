"""SQL queries on exports and locks of months."""

from collections.abc import Collection, Sequence
from datetime import date

from sqlalchemy import func, select
from sqlalchemy.orm import Session, load_only

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.office.exports.schemas import Mapping, parse_mapping
from stempelwerk_cloud.office.exports.tables import Export, MonthLock, PayrollMapping

DONE, RUNNING, FAILED, DIFFERENCE = "done", "running", "failed", "difference"
SMALL = (
    Export.month,
    Export.format,
    Export.since,
    Export.created_at,
    Export.progress,
    Export.done,
    Export.total,
    Export.draft,
    Export.state,
    Export.digest,
)
"""The columns of an export that lists need, without its content, which is large."""


def mapping_of(session: Session, company_id: str) -> Mapping:
    row = session.get(PayrollMapping, company_id)
    return Mapping() if row is None else parse_mapping(row.mapping)


def stored_mapping(session: Session, company_id: str) -> str:
    """Returns the company's mapping as JSON, as the release that wrote it stored it."""
    row = session.get(PayrollMapping, company_id)
    return Mapping().model_dump_json() if row is None else row.mapping


def lock_of(session: Session, company_id: str, month: str) -> MonthLock | None:
    return session.get(MonthLock, (company_id, month))


def export(session: Session, company_id: str, export_id: str) -> Export | None:
    return session.get(Export, (company_id, export_id))


def newest(session: Session, company_id: str, month: str, form: str, **column_values: object) -> Export | None:
    """Returns the newest finished file of a month and format whose columns have these values, or None."""
    query = select(Export).where(
        Export.company_id == company_id, Export.month == month, Export.format == form, Export.progress == DONE
    )
    for name, value in column_values.items():
        query = query.where(getattr(Export, name) == value)
    return session.scalar(query.order_by(Export.id.desc()).limit(1))


def list_exports(session: Session, company_id: str, page_request: PageRequest) -> list[Export]:
    """Returns a page of the finished files, newest first, without their content. Raises NoSuchRow."""
    query = select(Export).options(load_only(*SMALL)).where(Export.company_id == company_id, Export.progress == DONE)
    return [row[0] for row in page(session, query, [], (Export.id,), page_request, descending=True)]


def done(session: Session, company_id: str) -> list[str]:
    """Returns the ids of the finished files, oldest first."""
    query = select(Export.id).where(Export.company_id == company_id, Export.progress == DONE)
    return list(session.scalars(query.order_by(Export.id)))


def kept_until(session: Session, company_id: str) -> date | None:
    """Returns the last day of retention of the company's files and locks; None without any."""
    lasts = [
        session.scalar(select(func.max(table.keep_until)).where(table.company_id == company_id))
        for table in (Export, MonthLock)
    ]
    return max((last for last in lasts if last is not None), default=None)


def tip(session: Session, export: Export) -> Export:
    """Returns the newest exported difference of an export, or the export itself. The next difference counts from it."""
    return newest(session, export.company_id, export.month, DIFFERENCE, since=export.since or export.id) or export


def months(session: Session, company_id: str) -> tuple[set[str], set[str]]:
    """Returns the exported and the locked months."""
    exported = select(Export.month).where(Export.company_id == company_id, Export.progress == DONE, ~Export.draft)
    locked = select(MonthLock.month).where(MonthLock.company_id == company_id)
    return set(session.scalars(exported.distinct())), set(session.scalars(locked))


def mappings(session: Session, company_id: str) -> dict[str, str | None]:
    """Returns by month the mapping of its newest export, without drafts."""
    final = select(Export.month, Export.mapping).where(
        Export.company_id == company_id, Export.progress == DONE, ~Export.draft
    )
    return {row.month: row.mapping for row in session.execute(final.order_by(Export.id))}


def locked(session: Session, company_id: str, months: Collection[str]) -> dict[str, bytes]:
    """Returns by month the snapshots of those of these months that are locked."""
    query = select(MonthLock.month, MonthLock.told).where(
        MonthLock.company_id == company_id, MonthLock.month.in_(sorted(months))
    )
    return {row.month: row.told for row in session.execute(query)}


def states(session: Session, company_id: str) -> dict[str, bytes | None]:
    """Returns by month the digest of its newest export, without drafts."""
    final = select(Export.month, Export.state).where(
        Export.company_id == company_id, Export.progress == DONE, ~Export.draft
    )
    return {row.month: row.state for row in session.execute(final.order_by(Export.id))}


def reported_snapshots(session: Session, company_id: str, months: Collection[str]) -> dict[str, bytes]:
    """Returns by month the reported snapshot: that of the last export without drafts, else that of the lock."""
    month_names = sorted(months)
    final = select(Export.month, Export.id).where(
        Export.company_id == company_id, Export.month.in_(month_names), Export.progress == DONE, ~Export.draft
    )
    newest = {row.month: row.id for row in session.execute(final.order_by(Export.id))}
    exported = export_snapshots(session, company_id, sorted(newest.values())) if newest else {}
    snapshots = {month: exported[id_][0] for month, id_ in newest.items() if id_ in exported}
    return locked(session, company_id, month_names) | snapshots


def export_snapshots(
    session: Session, company_id: str, export_ids: Sequence[str]
) -> dict[str, tuple[bytes, str | None]]:
    """Returns the snapshot and the mapping of each of these exports."""
    query = select(Export.id, Export.told, Export.mapping).where(
        Export.company_id == company_id, Export.id.in_(export_ids), Export.told.is_not(None)
    )
    return {row.id: (row.told, row.mapping) for row in session.execute(query)}


def tips(session: Session, company_id: str) -> dict[str, str]:
    """Returns by export the id of its newest exported difference."""
    query = select(Export.since, Export.id).where(
        Export.company_id == company_id, Export.since.is_not(None), Export.progress == DONE
    )
    return {row.since: row.id for row in session.execute(query.order_by(Export.id)) if row.since is not None}
