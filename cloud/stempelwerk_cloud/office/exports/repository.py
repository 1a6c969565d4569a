"""Queries on exports and locks."""

from collections.abc import Collection, Sequence
from datetime import date

from sqlalchemy import func, select
from sqlalchemy.orm import Session, load_only

from stempelwerk_cloud.kit.database.pages import Wanted, page
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
"""What a list needs of an export, whose content is large."""


def mapping_of(session: Session, company_id: str) -> Mapping:
    found = session.get(PayrollMapping, company_id)
    return Mapping() if found is None else parse_mapping(found.mapping)


def stored_mapping(session: Session, company_id: str) -> str:
    """Returns the company's mapping as it is stored, by whatever release."""
    found = session.get(PayrollMapping, company_id)
    return Mapping().model_dump_json() if found is None else found.mapping


def lock_of(session: Session, company_id: str, month: str) -> MonthLock | None:
    return session.get(MonthLock, (company_id, month))


def export(session: Session, company_id: str, export_id: str) -> Export | None:
    return session.get(Export, (company_id, export_id))


def newest(session: Session, company_id: str, month: str, form: str, **known: object) -> Export | None:
    """The file of a format that was made last, whose columns have these values."""
    found = select(Export).where(
        Export.company_id == company_id, Export.month == month, Export.format == form, Export.progress == DONE
    )
    for name, value in known.items():
        found = found.where(getattr(Export, name) == value)
    return session.scalar(found.order_by(Export.id.desc()).limit(1))


def listed(session: Session, company_id: str, wanted: Wanted) -> list[Export]:
    """Files that are there, newest first, without their content. Raises NoSuchRow."""
    every = select(Export).options(load_only(*SMALL)).where(Export.company_id == company_id, Export.progress == DONE)
    return [row[0] for row in page(session, every, [], (Export.id,), wanted, descending=True)]


def done(session: Session, company_id: str) -> list[str]:
    """The ids of files that are there, oldest first."""
    own = select(Export.id).where(Export.company_id == company_id, Export.progress == DONE)
    return list(session.scalars(own.order_by(Export.id)))


def kept_until(session: Session, company_id: str) -> date | None:
    """The last day on which a file or a lock is kept."""
    lasts = [
        session.scalar(select(func.max(table.keep_until)).where(table.company_id == company_id))
        for table in (Export, MonthLock)
    ]
    return max((last for last in lasts if last is not None), default=None)


def tip(session: Session, export: Export) -> Export:
    """The newest of an export and the differences of it that were exported: what the next difference counts from."""
    return newest(session, export.company_id, export.month, DIFFERENCE, since=export.since or export.id) or export


def months(session: Session, company_id: str) -> tuple[set[str], set[str]]:
    """Those that have been exported, and those that are locked."""
    exported = select(Export.month).where(Export.company_id == company_id, Export.progress == DONE, ~Export.draft)
    locked = select(MonthLock.month).where(MonthLock.company_id == company_id)
    return set(session.scalars(exported.distinct())), set(session.scalars(locked))


def mappings(session: Session, company_id: str) -> dict[str, str | None]:
    """Returns by month the mapping of its newest export; drafts are left out."""
    final = select(Export.month, Export.mapping).where(
        Export.company_id == company_id, Export.progress == DONE, ~Export.draft
    )
    return {row.month: row.mapping for row in session.execute(final.order_by(Export.id))}


def locked(session: Session, company_id: str, months: Collection[str]) -> dict[str, bytes]:
    """Returns by month the snapshots of those that are locked."""
    found = select(MonthLock.month, MonthLock.told).where(
        MonthLock.company_id == company_id, MonthLock.month.in_(sorted(months))
    )
    return {row.month: row.told for row in session.execute(found)}


def states(session: Session, company_id: str) -> dict[str, bytes | None]:
    """By month, the digest of what it was like when it was exported last; drafts tell nothing."""
    final = select(Export.month, Export.state).where(
        Export.company_id == company_id, Export.progress == DONE, ~Export.draft
    )
    return {row.month: row.state for row in session.execute(final.order_by(Export.id))}


def told_of(session: Session, company_id: str, months: Collection[str]) -> dict[str, bytes]:
    """What these months were like when they were exported last, else when they were locked; drafts tell nothing."""
    wanted = sorted(months)
    final = select(Export.month, Export.id).where(
        Export.company_id == company_id, Export.month.in_(wanted), Export.progress == DONE, ~Export.draft
    )
    newest = {row.month: row.id for row in session.execute(final.order_by(Export.id))}
    exported = told_by(session, company_id, sorted(newest.values())) if newest else {}
    told = {month: exported[id_][0] for month, id_ in newest.items() if id_ in exported}
    return locked(session, company_id, wanted) | told


def told_by(session: Session, company_id: str, export_ids: Sequence[str]) -> dict[str, tuple[bytes, str | None]]:
    """Returns the snapshot and the mapping of each of these exports."""
    found = select(Export.id, Export.told, Export.mapping).where(
        Export.company_id == company_id, Export.id.in_(export_ids), Export.told.is_not(None)
    )
    return {row.id: (row.told, row.mapping) for row in session.execute(found)}


def tips(session: Session, company_id: str) -> dict[str, str]:
    """By export, of which a difference was exported: the newest one."""
    found = select(Export.since, Export.id).where(
        Export.company_id == company_id, Export.since.is_not(None), Export.progress == DONE
    )
    return {row.since: row.id for row in session.execute(found.order_by(Export.id)) if row.since is not None}
