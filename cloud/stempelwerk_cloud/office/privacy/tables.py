"""The table of consents. Rows are added and never changed."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import ONLY_DECIDED, Shown, describe_table, described


@describe_table(Shown(360), no_part=ONLY_DECIDED)
class PrivacyConsent(Base):
    """A company's consent to a version of the privacy notice, with the first person who gave it."""

    __tablename__ = "privacy_consents"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    version: Mapped[str] = mapped_column(String(20), primary_key=True)
    accepted_at: Mapped[datetime] = mapped_column(Instant)
    accepted_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))
