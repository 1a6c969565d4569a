"""States of a channel's clocks, now and at earlier instants. Rollouts decide by them."""

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment, DeviceBeat, DeviceMoment

MOMENT_VALID_FOR = timedelta(hours=2)
"""How long a `DeviceMoment` describes its clock. A clock that is heard gets one at least each hour, so a clock without
one for longer is silent.
"""
GOOD_TIMES = ("ntp", "rtc")


class ClockState(NamedTuple):
    """A clock with the fields of its newest stored heartbeat. `seen_at` None: it has not sent a heartbeat yet."""

    no: int
    id: str
    company_id: str | None
    channel: str
    version: str
    platform: str | None
    update_state: str | None
    update_version: str | None
    seen_at: datetime | None


def in_channel(session: Session, channel: str) -> list[ClockState]:
    """Returns the channel's clocks that are not withdrawn, in ascending order of their numbers."""
    return _find_states(session, Device.channel == channel)


def of_device(session: Session, device_no: int) -> ClockState | None:
    """Returns the state of one clock; None if it is unknown or withdrawn."""
    return next(iter(_find_states(session, Device.no == device_no)), None)


def signs_at(session: Session, instant: datetime) -> dict[int, set[str]]:
    """Returns by device number the problems that clocks showed at an instant: `queue`, `time` and `reader`.

    A clock that was online without problems has an empty set. A clock that was silent is missing.
    """
    newest = (
        select(DeviceMoment.device_no, func.max(DeviceMoment.at).label("at"))
        .where(DeviceMoment.at > instant - MOMENT_VALID_FOR, DeviceMoment.at <= instant)
        .group_by(DeviceMoment.device_no)
        .subquery()
    )
    rows = session.execute(
        select(DeviceMoment.device_no, DeviceMoment.queue_depth, DeviceMoment.quality, DeviceMoment.reader)
        .join(newest, (newest.c.device_no == DeviceMoment.device_no) & (newest.c.at == DeviceMoment.at))
        .where(DeviceMoment.online)
    )
    return {
        no: {
            sign
            for sign, is_shown in (
                ("queue", bool(queue)),
                ("time", quality not in GOOD_TIMES),
                ("reader", reader not in (None, "ok")),
            )
            if is_shown
        }
        for no, queue, quality, reader in rows
    }


def _find_states(session: Session, which: ColumnElement[bool]) -> list[ClockState]:
    in_force = (DeviceAssignment.device_no == Device.no) & DeviceAssignment.ends_at.is_(None)
    rows = session.execute(
        select(
            Device.no,
            Device.id,
            DeviceAssignment.company_id,
            Device.channel,
            func.coalesce(func.nullif(DeviceBeat.version, ""), Device.version),
            DeviceBeat.platform,
            DeviceBeat.update_state,
            DeviceBeat.update_version,
            DeviceBeat.seen_at,
        )
        .outerjoin(DeviceBeat, DeviceBeat.device_no == Device.no)
        .outerjoin(DeviceAssignment, in_force)
        .where(which, Device.revoked_at.is_(None))
        .order_by(Device.no)
    )
    return [ClockState(*row) for row in rows]
