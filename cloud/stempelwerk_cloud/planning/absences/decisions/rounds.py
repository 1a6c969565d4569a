"""Periodic jobs on absences: they remove missed days that were resolved, and expired sick notes."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from sqlalchemy import update
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import DAY, local_day
from stempelwerk_cloud.domain.retention import sick_note_retained_until
from stempelwerk_cloud.kit import room
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.companies import lock_company, settings_on, zone_of
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.planning.absences import actions, queries
from stempelwerk_cloud.planning.absences.queries import OPEN
from stempelwerk_cloud.planning.absences.sick_notes.notes import drop
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence

SICK_NOTE_MONTHS = Setting(
    "sick_note_months",
    int,
    12,
    minimum=1,
    maximum=36,
    label="Bescheinigungen zu Krankmeldungen bleiben nach der Entscheidung (Monate)",
    retention=("Bescheinigungen zu Krankmeldungen (nach der Entscheidung)", "Monate"),
)
"""How many months a sick note is stored after the decision about its absence."""

SETTINGS = (SICK_NOTE_MONTHS,)


RETENTION = timedelta(days=2 * 366)
"""How long declined and cancelled absences, and the texts of all others, are stored after their day."""
NEEDED = Absence.status.in_((OPEN, "excused")) | Absence.file_id.is_not(None)


def remove_gone(platform: Platform) -> bool:
    """Removes open missed days whose employee turned out to have come (decision 17); returns whether all companies
    succeeded.
    """
    with platform.database.read(SYSTEM) as session:
        companies = queries.companies_with_open_days(session)
    return _each(platform, companies, "remove_gone_absences", _remove_gone)


def remove_old_notes(platform: Platform) -> bool:
    """Removes the notes that are no longer needed (decision 17), also of companies that are closed."""
    with platform.database.read(SYSTEM) as session:
        companies = queries.companies_with_notes(session)
    return _each(platform, companies, "remove_old_sick_notes", _remove_old_notes)


def _each(
    platform: Platform, company_ids: Iterable[str], job: str, work_for: Callable[[UnitOfWork, str], None]
) -> bool:
    def go(company_id: str) -> None:
        with unit_of_work(platform, of_company(company_id)) as work:
            lock_company(work.session, company_id, shared=True)
            locks.take(work.session, Lock.PLAN, company_id)
            work_for(work, company_id)

    return room.for_each_company(job, ((company_id,) for company_id in sorted(company_ids)), go)


def _remove_gone(work: UnitOfWork, company_id: str) -> None:
    open_days = queries.open_missing(work.session, company_id)
    standing_ids = {absence.id for absence in filter_in_force(work.session, company_id, open_days)}
    gone_days = [absence for absence in open_days if absence.id not in standing_ids]
    for absence in gone_days:
        was = {"userId": absence.user_id, "date": absence.date.isoformat()}
        work.audit(company_id, actions.CAME, absence.id, old_values=was)
        work.session.delete(absence)
    work.session.flush()
    drop(work.session, company_id, {absence.file_id for absence in gone_days if absence.file_id is not None})
    if gone_days:
        requests.refresh_pages(work, company_id, [absence.user_id for absence in gone_days])


def remove_old_words(session: Session, now: datetime) -> None:
    """Removes the texts of old days that are only stored because balances depend on them."""
    days = Base.metadata.tables[
        Absence.__tablename__
    ]  # a day that stays keeps its value, so no stored balance is dropped
    has_text = days.c.user_message.is_not(None) | days.c.comment.is_not(None)
    old = (days.c.date <= (now - RETENTION).date() - DAY) & (days.c.status != OPEN) & has_text
    session.execute(update(days).where(old).values(user_message=None, comment=None))


def _remove_old_notes(work: UnitOfWork, company_id: str) -> None:
    zone = zone_of(work.session, company_id, work.now())
    today = local_day(work.now(), zone)
    months = settings_on(work.session, company_id, today)[SICK_NOTE_MONTHS]
    noted_days = sorted(queries.noted(work.session, company_id), key=attrgetter("file_id"))
    for file_id, shared in groupby(noted_days, key=attrgetter("file_id")):
        covered = list(shared)
        handed_in = max(local_day(day.noted_at or day.created_at, zone) for day in covered)
        decided = [None if day.decided_at is None else local_day(day.decided_at, zone) for day in covered]
        if today <= sick_note_retained_until(handed_in, decided, months):
            continue
        for day in covered:
            day.file_id = None
        work.session.flush()
        drop(work.session, company_id, {file_id})
        audit_values = {"userId": covered[0].user_id, "date": covered[0].date.isoformat()}
        work.audit(company_id, actions.NOTE_REMOVED, covered[0].id, old_values=audit_values)
