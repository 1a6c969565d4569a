"""The table of rates and wages. It is apart from the settings, because callers without access to costs may see all
other settings.
"""

from datetime import date, datetime

from sqlalchemy import Date, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.domain.costs import Name
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.people.employment.service import DEPARTMENT_LIMIT


class CompensationValue(Base):
    """A mode, rate or wage (JSON) from a local day on (`domain/costs.py`); `date.min`: from the beginning."""

    __tablename__ = "compensation_values"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[Name] = mapped_column(String(20), primary_key=True)
    subject: Mapped[str] = mapped_column(String(DEPARTMENT_LIMIT), primary_key=True)
    valid_from: Mapped[date] = mapped_column(Date, primary_key=True)
    value: Mapped[str] = mapped_column(Text)
    set_at: Mapped[datetime] = mapped_column(Instant)
    set_by: Mapped[str | None] = mapped_column(Id)
