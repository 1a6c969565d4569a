"""Changes of the update channel: of one clock, of a company's clocks, or of all. Clocks then fetch their version on
their own.
"""

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices import queries
from stempelwerk_cloud.fleet.devices.changes import actions, live
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.work import UnitOfWork


def of_device(work: UnitOfWork, device_id: str, channel: str) -> int:
    """Sets the channel of one clock and returns the clock's number. Raises 404 if it is unknown or withdrawn."""
    device = queries.by_id(work.session, device_id)
    if device is None or device.revoked_at is not None:
        raise not_found()
    owner = queries.assignment_at(work.session, device.no, work.now())
    audit_company_id = companies.operator_company(work).id if owner is None else owner.company_id
    old_channel = device.channel
    if _set(work.session, channel, Device.no == device.no):
        work.audit(audit_company_id, actions.CHANNEL_SET, device.id, {"channel": old_channel}, {"channel": channel})
        live.refresh_pages(work)
    return device.no


def of_company(work: UnitOfWork, company_id: str, channel: str) -> int:
    """Sets the channel of all current clocks of the company. Returns how many had another one."""
    work.company(company_id)
    own_device_nos = select(DeviceAssignment.device_no).where(DeviceAssignment.company_id == company_id)
    return _set_many(work, company_id, channel, Device.no.in_(own_device_nos.where(DeviceAssignment.ends_at.is_(None))))


def of_all(work: UnitOfWork, channel: str) -> int:
    """Sets the channel of every clock. Returns how many had another one."""
    return _set_many(work, companies.operator_company(work).id, channel, Device.no > 0)


def _set_many(work: UnitOfWork, audit_company_id: str, channel: str, which: ColumnElement[bool]) -> int:
    changed = _set(work.session, channel, which)
    work.audit(audit_company_id, actions.CHANNEL_SET, None, None, {"channel": channel, "devices": changed})
    live.refresh_pages(work)
    return changed


def _set(session: Session, channel: str, which: ColumnElement[bool]) -> int:
    """Sets the channel of the clocks that match the condition and are not withdrawn. Returns how many had another one.
    Rows are locked by ascending id to avoid deadlocks.
    """
    conditions = (which, Device.channel != channel, Device.revoked_at.is_(None))
    locks.record_row_lock(
        session, Lock.DEVICE_WORDS, session.scalars(select(Device.id).where(*conditions).order_by(Device.id)).all()
    )
    rows = select(Device).where(*conditions).order_by(Device.id)
    devices = session.scalars(rows.with_for_update(key_share=True)).all()
    for device in devices:
        device.channel = channel
    session.flush()
    return len(devices)
