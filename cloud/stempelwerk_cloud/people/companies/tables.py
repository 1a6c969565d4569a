"""Tables of companies. `companies` itself is the root: its `id` is every other table's `company_id`."""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by
from stempelwerk_cloud.people.names import KEY_GROWTH

NAME_LIMIT = 200


class Company(Base):
    """A customer, or the operator's own company. `closed_at`: deleted; its facts stay as long as they must be kept."""

    __tablename__ = "companies"
    __table_args__ = (
        Index(
            "uq_companies_name_key",
            "name_key",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
        bypassed_by(login="select", devices="select"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_LIMIT))
    name_key: Mapped[str] = mapped_column(String(KEY_GROWTH * NAME_LIMIT))
    is_operator: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(Instant)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)


class CompanyFeature(Base):
    """A module that the company may use."""

    __tablename__ = "company_features"

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    feature: Mapped[str] = mapped_column(String(40), primary_key=True)


class CompanySetting(Base):
    """One setting's value (JSON) from a local day on. Before the first row of a setting its default holds."""

    __tablename__ = "company_settings"
    __table_args__ = bypassed_by(devices="select")

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    setting: Mapped[str] = mapped_column(String(40), primary_key=True)
    valid_from: Mapped[date] = mapped_column(Date, primary_key=True)
    value: Mapped[str] = mapped_column(String(200))
    set_at: Mapped[datetime] = mapped_column(Instant)
    set_by: Mapped[str | None] = mapped_column(Id)
