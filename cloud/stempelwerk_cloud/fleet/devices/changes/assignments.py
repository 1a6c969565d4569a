"""Assignments of devices to companies over time. Each change is published as `ASSIGNMENTS_CHANGED`, so that the
affected stamps are attributed to their companies again.

An assignment is deleted only with all other data of its company, because each stamp belongs to the assignment that was
in force when it was made.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import long_ago
from stempelwerk_cloud.fleet.devices import queries, words
from stempelwerk_cloud.fleet.devices.changes import actions, live
from stempelwerk_cloud.fleet.devices.tables import BuriedAssignment, Device, DeviceAssignment
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.events import ASSIGNMENTS_CHANGED
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.work import UnitOfWork


@dataclass(slots=True)
class Adoption:
    """A company's claim to the stamps that a device took since `starts_at` while it was unassigned.

    `released`: how many of these stamps the company got. The room of stamps sets it while it handles
    `ASSIGNMENTS_CHANGED`.
    """

    device_no: int
    company_id: str
    starts_at: datetime
    released: int = 0


def company_closed(work: UnitOfWork, company_id: str) -> None:
    """Ends all assignments of the company, so that its clocks delete their list of people."""
    device_nos = queries.device_nos_of(work.session, company_id)
    lock_family(work, device_nos)
    # Excludes devices that have gone to another company in the meantime.
    own_nos = [
        no
        for no in device_nos
        if company_id in {assignment.company_id for assignment in _current_assignments(work.session, no)}
    ]
    end(work, own_nos)


def company_purged(work: UnitOfWork, company_id: str) -> None:
    """Records the ids of the company's assignments as `BuriedAssignment`, before its data is purged. Locks its devices,
    so that their stamps are not merged meanwhile.
    """
    device_nos = queries.devices_by_assignment(work.session, company_id)
    lock_family(work, set(device_nos.values()))
    work.session.add_all(BuriedAssignment(company_id=company_id, id=id_, late=0) for id_ in device_nos)
    work.session.flush()


def find_locked(session: Session, device_id: str) -> Device:
    """Returns the device and locks it until this transaction ends. Meanwhile no other transaction merges its stamps or
    changes its assignments. Raises 404.
    """
    device = queries.by_id(session, device_id)
    if device is None:
        raise not_found()
    queries.lock(session, device.no)
    return device


def find_family_locked(work: UnitOfWork, device_id: str) -> Device:
    """Returns the device and locks it, like `find_locked`, together with its successors, which may deliver its stamps.
    Raises 404.
    """
    device = queries.by_id(work.session, device_id)
    if device is None:
        raise not_found()
    lock_family(work, [device.no])
    work.session.refresh(device)
    return device


def lock_family(work: UnitOfWork, device_nos: Collection[int], *, replacing: bool = False) -> None:
    """Locks these devices and all their successors until the transaction ends. Also prevents new replacements
    meanwhile; a caller that is itself `replacing` a device takes that lock exclusively.
    """
    locks.take(work.session, Lock.LINEAGE, shared=not replacing)
    for device_no in sorted({*device_nos, *queries.successors(work.session, device_nos)}):
        queries.lock(work.session, device_no)


def assign(work: UnitOfWork, device_id: str, company_id: str, requested_start: datetime | None) -> tuple[int, int]:
    """Assigns the device to the company, from now or from `requested_start`. Returns the device's number and how many
    stamps the company got with it.

    An open assignment of another company ends now. An open assignment of the same company is kept, and begins earlier
    if needed. With a `requested_start` in the past, the company also gets the stamps since then that name no
    assignment, including those that arrive later.

    Raises 409 if the new period would overlap another company's, and 422 for a start in the future or long ago.
    """
    work.company(company_id)
    device = find_family_locked(work, device_id)
    now = work.now()
    starts_at = requested_start or now
    if starts_at > now:
        raise words.assignment_in_future()
    if long_ago(starts_at.date(), now.date()):
        raise words.assignment_long_ago()
    history = queries.assignments(work.session, device.no)
    other_assignments = [assignment for assignment in history if assignment.company_id != company_id]
    if any(
        assignment.ends_at is None and requested_start is not None and requested_start < now
        for assignment in other_assignments
    ) or any(assignment.ends_at is not None and starts_at < assignment.ends_at for assignment in other_assignments):
        raise words.assignment_overlaps()
    ended = [assignment for assignment in other_assignments if assignment.ends_at is None]
    for assignment in ended:
        assignment.ends_at = max(now, assignment.starts_at)
    own_assignment = next(
        (assignment for assignment in history if assignment.company_id == company_id and assignment.ends_at is None),
        None,
    )
    if own_assignment is None:
        work.session.add(
            DeviceAssignment(
                company_id=company_id,
                id=work.new_id(),
                device_no=device.no,
                starts_at=starts_at,
                assigned_at=now,
                assigned_by=work.actor_id,
            )
        )
    else:
        own_assignment.starts_at = min(own_assignment.starts_at, starts_at)
    work.session.flush()
    adoption = Adoption(device.no, company_id, starts_at) if starts_at < now else None
    _publish_changes(work, {device.no: [assignment.company_id for assignment in ended]}, now, adoption)
    for assignment in ended:
        work.audit(assignment.company_id, actions.UNASSIGNED, device.id)
    released = 0 if adoption is None else adoption.released
    audit_values = {"from": format_instant(starts_at)} | ({"released": released} if released else {})
    work.audit(company_id, actions.ASSIGNED, device.id, new_values=audit_values)
    return device.no, released


def unassign(work: UnitOfWork, device_id: str) -> int:
    """Ends the assignment of the device now. Returns the device's number."""
    device = find_family_locked(work, device_id)
    for company_id in end(work, [device.no])[device.no]:
        work.audit(company_id, actions.UNASSIGNED, device.id)
    return device.no


def _current_assignments(session: Session, device_no: int) -> list[DeviceAssignment]:
    return [assignment for assignment in queries.assignments(session, device_no) if assignment.ends_at is None]


def end(work: UnitOfWork, device_nos: Iterable[int], follow: Iterable[int] = ()) -> dict[int, list[str]]:
    """Ends the current assignments of these devices now. Returns by device number the ids of the companies that had
    them.

    The caller has locked the devices and all their successors. `follow`: other devices whose stamps must be attributed
    again too.
    """
    now = work.now()
    owners = {}
    for device_no in device_nos:
        ended = _current_assignments(work.session, device_no)
        for assignment in ended:
            assignment.ends_at = max(now, assignment.starts_at)
        owners[device_no] = [assignment.company_id for assignment in ended]
    work.session.flush()
    _publish_changes(work, {no: [] for no in follow} | owners, now)
    return owners


def _publish_changes(
    work: UnitOfWork, ended: dict[int, list[str]], now: datetime, adoption: Adoption | None = None
) -> None:
    """Publishes the change, so that the stamps of these devices and of their successors are attributed again. `ended`:
    by device number, the companies whose assignments ended.
    """
    ended_by_successor = {
        heir: sorted({*ended.get(heir, ()), *companies})
        for device_no, companies in ended.items()
        for heir in queries.successors(work.session, [device_no])
    }
    work.emit(ASSIGNMENTS_CHANGED, ended=ended | ended_by_successor, since=now, adoption=adoption)
    live.refresh_pages(work)
