"""The table of archives that were taken. Their content is given out and never kept."""

from datetime import datetime

from sqlalchemy import BigInteger, Integer, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import ONLY_DECIDED, Shown, describe_table, described
from stempelwerk_cloud.people.audit.actions import Action

ARCHIVED = Action("company.archived")
PURGED = Action("company.purged")


@describe_table(Shown(370), no_part=ONLY_DECIDED)
class CompanyArchive(Base):
    """An archive of a company: `done` of `total` people are in it. `digest` (SHA-256), `size` and `ended_at` are set
    when it was streamed to its end.
    """

    __tablename__ = "company_archives"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    begun_at: Mapped[datetime] = mapped_column(Instant)
    begun_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))
    done: Mapped[int] = mapped_column(Integer)
    total: Mapped[int] = mapped_column(Integer)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    digest: Mapped[bytes | None] = mapped_column(LargeBinary)
    size: Mapped[int | None] = mapped_column(BigInteger)
