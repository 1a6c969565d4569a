"""The table of device logs. A line belongs to its device; the assignments decide the company that may read it."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant, Serial
from stempelwerk_cloud.kit.database.described import NotShown, describe_table


@describe_table(NotShown("kept for a week, and shown by the module Fehlerlog"))
class DeviceLog(Base):
    """A log line of a device. `at` is the clock's own time as the clock wrote it. `received_at` is the server's time of
    arrival; lines are deleted a week after it.

    `number` counts the lines of a device in the order of its uploads, and within an upload in the order of its lines.
    """

    __tablename__ = "device_logs"
    __table_args__ = (
        Index("ix_device_logs_received_at", "received_at"),
        Index("ix_device_logs_device_no_number", "device_no", "number"),
    )

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    at: Mapped[datetime] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    number: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))
    level: Mapped[str] = mapped_column(String(5))
    code: Mapped[str] = mapped_column(String(100))
    message: Mapped[str] = mapped_column(String(2000))
    meta: Mapped[str | None] = mapped_column(Text)
