"""The table of what accounts carry. It holds conclusions, which could be made anew from the facts at any time,
but for the final ones."""

from datetime import date

from sqlalchemy import Date, Integer, false
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class KeptBalance(Base):
    """What a person's account carries into the month that begins with `first`; null: it has not begun by then.

    `is_final`: the times before it have gone, so it is a fact, and what was said of days before it changes nothing.
    """

    __tablename__ = "kept_balances"
    __table_args__ = bypassed_by(devices="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    first: Mapped[date] = mapped_column(Date, primary_key=True)
    minutes: Mapped[int | None] = mapped_column(Integer)
    is_final: Mapped[bool] = mapped_column(default=False, server_default=false())
