"""The table of rates and wages. It is apart from the settings, because callers without access to costs may see all
other settings.
"""

from datetime import date, datetime
from typing import Final

from sqlalchemy import ColumnElement, Date, String, Table, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.domain.costs import Name
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import Part, PersonRows, Shown, describe_table, described
from stempelwerk_cloud.people.employment.schemas import DEPARTMENT_LIMIT

_OWN_PAY: Final = {"hourly": "Stundensatz (Cent)", "monthly": "Monatslohn (Cent)"}


def _own_pay(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    """Returns the SQL condition for the person's own pay, and never a department's rate, whatever the department's
    name.
    """
    return (table.c.subject == user_id) & table.c.name.in_(_OWN_PAY)


@describe_table(
    Shown(310, module="costs"),
    Part("Stundensätze und Monatslöhne", "costs", "with times", rank=150, person_rows=PersonRows(_own_pay)),
)
class CompensationValue(Base):
    """A mode, rate or wage (JSON) from a local day on (`domain/costs.py`); `date.min`: from the beginning."""

    __tablename__ = "compensation_values"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[Name] = mapped_column(String(20), primary_key=True, info=described("Angabe", words=_OWN_PAY))
    subject: Mapped[str] = mapped_column(
        String(DEPARTMENT_LIMIT), primary_key=True, info=described("Worum es geht", person="subject")
    )
    valid_from: Mapped[date] = mapped_column(Date, primary_key=True, info=described("Gilt ab"))
    value: Mapped[str] = mapped_column(Text, info=described("Wert", form="json"))
    set_at: Mapped[datetime] = mapped_column(Instant, info=described("Eingetragen"))
    set_by: Mapped[str | None] = mapped_column(Id, info=described("Eingetragen von", person="actor"))
