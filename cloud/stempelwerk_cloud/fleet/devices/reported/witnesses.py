"""Clocks as an independent source of time. The service checks its own time with them
(`kit/operations/service_time.py`).

A clock whose time differs from the server's signs its requests with the server's time, so that the signature is
accepted. The time of a signature therefore proves nothing. The clock's own time does, if an NTP server has set it.
"""

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices.tables import DeviceAssignment, DeviceBeat
from stempelwerk_cloud.kit.http.schemas import parse_instant

FRESH = timedelta(minutes=10)
DIFFERENCE = timedelta(hours=1)


def heard_at(session: Session) -> datetime | None:
    return session.scalar(select(func.max(DeviceBeat.seen_at)))


def clocks_agree(session: Session, now: datetime) -> bool:
    """Returns whether assigned clocks with NTP time were heard within `FRESH`, and the time of each of them agrees with
    `now`.
    """
    fresh = DeviceBeat.seen_at.between(now - FRESH, now)
    is_assigned = DeviceBeat.device_no.in_(select(DeviceAssignment.device_no).where(DeviceAssignment.ends_at.is_(None)))
    walls = session.scalars(select(DeviceBeat.wall).where(fresh, is_assigned, DeviceBeat.quality == "ntp")).all()
    return bool(walls) and all(_is_near(wall, now) for wall in walls)


def _is_near(wall: str, now: datetime) -> bool:
    try:
        return abs(parse_instant(wall) - now) <= DIFFERENCE
    except ValueError:
        return False
