"""Tables of exports. Exports and locks of months are facts: their content never changes."""

from datetime import date, datetime

from sqlalchemy import Date, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import Shown, describe_table, described, hidden


@describe_table(Shown(270))
class PayrollMapping(Base):
    """A company's numbers at its tax adviser's, and its wage types, as JSON of `schemas.Mapping`."""

    __tablename__ = "payroll_mappings"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    mapping: Mapped[str] = mapped_column(Text)
    changed_at: Mapped[datetime] = mapped_column(Instant)


@describe_table(Shown(260), no_part="the same, as it was when the month was closed")
class MonthLock(Base):
    """A month that is closed for payroll. `told` is the snapshot of the month (`months.packed`), `state` its digest."""

    __tablename__ = "month_locks"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    month: Mapped[str] = mapped_column(String(7), primary_key=True)
    locked_at: Mapped[datetime] = mapped_column(Instant)
    locked_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))
    told: Mapped[bytes] = mapped_column(LargeBinary, info=hidden())
    state: Mapped[bytes] = mapped_column(LargeBinary, info=hidden())
    keep_until: Mapped[date] = mapped_column(Date)


@describe_table(
    Shown(250), no_part="payroll files of all people together; what they say about a person is their times and days"
)
class Export(Base):
    """A file of a month, made or ordered. For an ordered one, `content` and the columns of its inputs are null.

    - `format` is one of `schemas.Format`, or `difference` for a difference from the export `since`.
    - `told` and `state` as in `MonthLock`.
    - `mapping`: the `PayrollMapping` of that time (for a difference that of `since`; null: made by an older release).
    - `inputs`: the digest of all inputs of the file; `digest`: that of the file itself (SHA-256).
    - `progress` is `waiting`, `running`, `done` or `failed`; `done` of `total` people are finished.
    """

    __tablename__ = "exports"
    __table_args__ = (
        Index("ix_exports_company_id_month", "company_id", "month", "format", "id"),
        Index("ix_exports_company_id_since", "company_id", "since"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    month: Mapped[str] = mapped_column(String(7))
    format: Mapped[str] = mapped_column(String(10))
    since: Mapped[str | None] = mapped_column(Id)
    created_at: Mapped[datetime] = mapped_column(Instant)
    created_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))
    progress: Mapped[str] = mapped_column(String(10))
    done: Mapped[int] = mapped_column(Integer, default=0)
    total: Mapped[int] = mapped_column(Integer, default=0)
    draft: Mapped[bool] = mapped_column(default=False)
    told: Mapped[bytes | None] = mapped_column(LargeBinary, info=hidden())
    state: Mapped[bytes | None] = mapped_column(LargeBinary, info=hidden())
    mapping: Mapped[str | None] = mapped_column(Text)
    inputs: Mapped[bytes | None] = mapped_column(LargeBinary, info=hidden())
    content: Mapped[bytes | None] = mapped_column(LargeBinary, info=hidden())
    digest: Mapped[bytes | None] = mapped_column(LargeBinary)
    keep_until: Mapped[date] = mapped_column(Date)
