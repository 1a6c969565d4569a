"""The progress of the search for missed duties, by company."""

from datetime import date

from sqlalchemy.orm import Session

from stempelwerk_cloud.planning.missing.tables import MissingSweep


def swept_to(session: Session, company_id: str) -> date | None:
    """Returns the last day that was searched, read again from the database; None before the first search."""
    sweep_row = session.get(MissingSweep, company_id, populate_existing=True)
    return None if sweep_row is None else sweep_row.swept_to


def sweep_to(session: Session, company_id: str, day: date) -> None:
    sweep_row = session.get(MissingSweep, company_id)
    if sweep_row is None:
        session.add(MissingSweep(company_id=company_id, swept_to=day))
    else:
        sweep_row.swept_to = day
    session.flush()
