"""Tables of alarms and of the settings for mails about them."""

from datetime import datetime

from sqlalchemy import Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.domain.alarms import Kind
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import Shown, describe_table, described, hidden
from stempelwerk_cloud.kit.operations import faults

AnyKind = Kind | faults.Kind
"""The kind of an alarm: about a clock or a company's network (`Kind`), or about the installation itself
(`faults.Kind`).
"""


@describe_table(Shown(380), no_part="about clocks; the audit log says who acknowledged an alarm")
class Alarm(Base):
    """A cause that shows or has shown (`domain/alarms.py`). It is a visible alarm once `raised` is set.

    `device_no`: the clock; 0 for the company's network and for the installation itself (`faults.Kind`), whose alarms
    belong to the operator's company. `until`: since when the alarm is over; null while it is not. `told`: JSON list of
    the ids of users who were mailed about the alarm and not yet about its end.
    """

    __tablename__ = "alarms"
    __table_args__ = (
        Index(
            "uq_alarms_open",
            "company_id",
            "device_no",
            "kind",
            unique=True,
            sqlite_where=text("until IS NULL"),
            postgresql_where=text("until IS NULL"),
        ),
        Index("ix_alarms_until", "until"),
        Index("ix_alarms_since", "since", "id"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    device_no: Mapped[int]
    kind: Mapped[AnyKind] = mapped_column(String(10))
    since: Mapped[datetime] = mapped_column(Instant)
    raised: Mapped[bool]
    calm_since: Mapped[datetime | None] = mapped_column(Instant)
    until: Mapped[datetime | None] = mapped_column(Instant)
    acknowledged_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))
    acknowledged_at: Mapped[datetime | None] = mapped_column(Instant)
    told: Mapped[str] = mapped_column(Text, default="[]", info=hidden())


@describe_table(Shown(390))
class AlarmSettings(Base):
    """A company's settings for mails about alarms. Those of the operator apply to the operator's mails about all
    companies.

    `quiet_from` and `quiet_to`: quiet hours in minutes since local midnight; both null: no quiet hours. `muted`: JSON
    list of the kinds that are not mailed, so that kinds added later are mailed. `kinds`: the mailed kinds, read by
    older releases.
    """

    __tablename__ = "alarm_settings"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    mail: Mapped[bool]
    quiet_from: Mapped[int | None]
    quiet_to: Mapped[int | None]
    kinds: Mapped[str] = mapped_column(Text)
    muted: Mapped[str] = mapped_column(Text, default="[]", server_default="[]")
