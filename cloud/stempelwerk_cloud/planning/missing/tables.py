"""The progress of the search for missed duties, by company."""

from datetime import date

from sqlalchemy import Date
from sqlalchemy.orm import Mapped, Session, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id
from stempelwerk_cloud.kit.database.described import MACHINERY, describe_table


@describe_table(MACHINERY)
class MissingSweep(Base):
    """The last local day of a company that was searched for missed duties."""

    __tablename__ = "missing_sweeps"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    swept_to: Mapped[date] = mapped_column(Date)


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
