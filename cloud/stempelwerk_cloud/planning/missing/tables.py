"""Progress of the search for missed duties."""

from datetime import date

from sqlalchemy import Date
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id
from stempelwerk_cloud.kit.database.described import MACHINERY, describe_table


@describe_table(MACHINERY)
class MissingSweep(Base):
    """The last local day of a company that was searched for missed duties."""

    __tablename__ = "missing_sweeps"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    swept_to: Mapped[date] = mapped_column(Date)
