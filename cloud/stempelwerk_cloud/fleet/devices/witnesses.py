"""Clocks as witnesses of the time, for the watch over the server's time (`kit/operations/service_time.py`).

A clock signs with the server's time if that differs from its own, so a heartbeat proves nothing. The clock's own time
does, if a time server has set it.
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
    """Returns whether clocks with a time server were just heard, and each of their times agrees with `now`."""
    fresh = DeviceBeat.seen_at.between(now - FRESH, now)
    is_assigned = DeviceBeat.device_no.in_(select(DeviceAssignment.device_no).where(DeviceAssignment.ends_at.is_(None)))
    walls = session.scalars(select(DeviceBeat.wall).where(fresh, is_assigned, DeviceBeat.quality == "ntp")).all()
    return bool(walls) and all(_is_near(wall, now) for wall in walls)


def _is_near(wall: str, now: datetime) -> bool:
    try:
        return abs(parse_instant(wall) - now) <= DIFFERENCE
    except ValueError:
        return False
