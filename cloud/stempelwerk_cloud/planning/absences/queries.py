"""SQL queries on absences."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest, page
from stempelwerk_cloud.kit.http.paging import Bounds
from stempelwerk_cloud.people.directory.people import hidden
from stempelwerk_cloud.planning.facts.tables import Absence

SICK = "sick"
MISSING = "missing"
SPECIAL = "special"
OPEN = "open"
EXCUSED = "excused"
DECLINED = "declined"
CANCELLED = "cancelled"
IN_FORCE = (OPEN, EXCUSED)
"""Statuses that have an effect."""


def of_days(
    session: Session, company_id: str, user_ids: Collection[str] | None, first: date, last: date
) -> list[Absence]:
    """Returns all absences on these days, by person and day; `user_ids` None: for all people."""
    statement = _select(company_id).where(Absence.date >= first, Absence.date <= last)
    if user_ids is not None:
        statement = statement.where(Absence.user_id.in_(sorted(set(user_ids))))
    return list(session.scalars(statement.order_by(Absence.user_id, Absence.date, Absence.id)))


def in_company(
    session: Session, company_id: str, status: str | None, bounds: Bounds, page_request: PageRequest
) -> list[Absence]:
    """Returns a page of the company's absences, newest day first; `status` None: of all statuses. Raises NoSuchRow."""
    conditions = bounds.touching(Absence.date, Absence.date)
    if status is not None:
        conditions.append(Absence.status == status)
    order = (Absence.date, Absence.id)
    statement = _select(company_id).where(Absence.user_id.not_in(hidden(company_id)))
    return [row[0] for row in page(session, statement, conditions, order, page_request, descending=True)]


def of_report(session: Session, company_id: str, report_id: str) -> list[Absence]:
    """Returns the days of a report, oldest first, read again from the database. The caller has locked the company's
    plan.
    """
    statement = _select(company_id).where(Absence.report_id == report_id).order_by(Absence.date, Absence.id)
    return list(session.scalars(statement.execution_options(populate_existing=True)))


def open_missing(session: Session, company_id: str) -> list[Absence]:
    """Returns the open days of missed duties, by person and day."""
    statement = _select(company_id).where(Absence.status == OPEN, Absence.kind == MISSING)
    return list(session.scalars(statement.order_by(Absence.user_id, Absence.date)))


def noted(session: Session, company_id: str) -> list[Absence]:
    """Returns the days whose sick note is still stored."""
    return list(session.scalars(_select(company_id).where(Absence.file_id.is_not(None)).order_by(Absence.report_id)))


def companies_with_notes(session: Session) -> Sequence[str]:
    return session.scalars(select(Absence.company_id).where(Absence.file_id.is_not(None)).distinct()).all()


def companies_with_open_days(session: Session) -> Sequence[str]:
    return session.scalars(select(Absence.company_id).where(Absence.status == OPEN).distinct()).all()


def files_in_use(session: Session, company_id: str, file_ids: Iterable[str]) -> set[str]:
    """Returns those of these files that still belong to a day."""
    statement = select(Absence.file_id).where(
        Absence.company_id == company_id, Absence.file_id.in_(sorted(set(file_ids)))
    )
    return {file_id for file_id in session.scalars(statement) if file_id is not None}


def _select(company_id: str) -> Select[Absence]:
    return select(Absence).where(Absence.company_id == company_id)
