"""The table of device logs. A line belongs to its device; which company may read it follows from the assignments."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant, Serial


class DeviceLog(Base):
    """One line. `at` is the clock's own time, as it wrote it; `received_at` is ours and decides how long it is kept."""

    __tablename__ = "device_logs"
    __table_args__ = (Index("ix_device_logs_received_at", "received_at"),)

    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    at: Mapped[datetime] = mapped_column(Instant)
    received_at: Mapped[datetime] = mapped_column(Instant)
    level: Mapped[str] = mapped_column(String(5))
    code: Mapped[str] = mapped_column(String(100))
    message: Mapped[str] = mapped_column(String(2000))
    meta: Mapped[str | None] = mapped_column(Text)
