"""Whose a device is, from when until when; each change is told to whoever has placed its stamps.

An assignment is never deleted, but with all that is kept of its company: a stamp belongs to the one that was in force
when it was made.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import long_ago
from stempelwerk_cloud.fleet.devices import actions, live, problems, repository
from stempelwerk_cloud.fleet.devices.tables import BuriedAssignment, Device, DeviceAssignment
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.events import ASSIGNMENTS_CHANGED
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.work import Work


@dataclass(slots=True)
class Adoption:
    """A company's claim to the stamps that the device took from `starts_at` on, while it knew no assignment.

    `released`: how many of them the company got; the room of stamps counts them.
    """

    device_no: int
    company_id: str
    starts_at: datetime
    released: int = 0


def company_closed(work: Work, company_id: str) -> None:
    """From now on the company's devices are nobody's, and its clocks forget its people."""
    device_nos = repository.device_nos_of(work.session, company_id)
    lock_family(work, device_nos)
    # Only those that are not another's in the meantime.
    own = [no for no in device_nos if company_id in {one.company_id for one in _in_force(work.session, no)}]
    end(work, own)


def company_purged(work: Work, company_id: str) -> None:
    """Of the company's assignments their ids alone stay. Nobody merges stamps of its clocks meanwhile."""
    mine = repository.devices_by_assignment(work.session, company_id)
    lock_family(work, set(mine.values()))
    work.session.add_all(BuriedAssignment(company_id=company_id, id=id_, late=0) for id_ in mine)
    work.session.flush()


def find_locked(session: Session, device_id: str) -> Device:
    """The device, or 404; nobody else merges its stamps or changes its assignments before this transaction ends."""
    device = repository.by_id(session, device_id)
    if device is None:
        raise not_found()
    repository.lock(session, device.no)
    return device


def find_family_locked(work: Work, device_id: str) -> Device:
    """The same, and of those that stand in its place, for what it may deliver they may deliver too."""
    device = repository.by_id(work.session, device_id)
    if device is None:
        raise not_found()
    lock_family(work, [device.no])
    work.session.refresh(device)
    return device


def lock_family(work: Work, device_nos: Collection[int], *, replacing: bool = False) -> None:
    """Locks these devices and those that stand in their place, which stay who they are. `replacing`: they change."""
    locks.take(work.session, Lock.LINEAGE, shared=not replacing)
    for device_no in sorted({*device_nos, *repository.heirs(work.session, device_nos)}):
        repository.lock(work.session, device_no)


def assign(work: Work, device_id: str, company_id: str, since: datetime | None) -> tuple[int, int]:
    """Makes the device the company's, from now or from `since`; the device's number, and how many stamps came with it.

    What belonged to another company until now ends now. 409 if the new time would overlap another company's; 422 in
    the future, and long ago. The company's own assignment is kept, and begins earlier if it is to. `since` in the past
    brings the stamps of that time that name no assignment, also those that arrive later.
    """
    work.company(company_id)
    device = find_family_locked(work, device_id)
    now = work.now()
    starts = since or now
    if starts > now:
        raise problems.assignment_in_future()
    if long_ago(starts.date(), now.date()):
        raise problems.assignment_long_ago()
    history = repository.assignments(work.session, device.no)
    others = [one for one in history if one.company_id != company_id]
    if any(one.ends_at is None and since is not None and since < now for one in others) or any(
        one.ends_at is not None and starts < one.ends_at for one in others
    ):
        raise problems.assignment_overlaps()
    ended = [one for one in others if one.ends_at is None]
    for one in ended:
        one.ends_at = max(now, one.starts_at)
    own = next((one for one in history if one.company_id == company_id and one.ends_at is None), None)
    if own is None:
        work.session.add(
            DeviceAssignment(
                company_id=company_id,
                id=work.new_id(),
                device_no=device.no,
                starts_at=starts,
                assigned_at=now,
                assigned_by=work.by,
            )
        )
    else:
        own.starts_at = min(own.starts_at, starts)
    work.session.flush()
    adoption = Adoption(device.no, company_id, starts) if starts < now else None
    _tell(work, {device.no: [one.company_id for one in ended]}, now, adoption)
    for one in ended:
        work.audit(one.company_id, actions.UNASSIGNED, device.id)
    released = 0 if adoption is None else adoption.released
    after = {"from": format_instant(starts)} | ({"released": released} if released else {})
    work.audit(company_id, actions.ASSIGNED, device.id, after=after)
    return device.no, released


def unassign(work: Work, device_id: str) -> int:
    """From now on the device is nobody's; the device's number."""
    device = find_family_locked(work, device_id)
    for company_id in end(work, [device.no])[device.no]:
        work.audit(company_id, actions.UNASSIGNED, device.id)
    return device.no


def _in_force(session: Session, device_no: int) -> list[DeviceAssignment]:
    return [one for one in repository.assignments(session, device_no) if one.ends_at is None]


def end(work: Work, device_nos: Iterable[int], follow: Iterable[int] = ()) -> dict[int, list[str]]:
    """From now on these are nobody's; the companies whose each was. All are locked, with those in their place.

    `follow`: others whose stamps find their place anew.
    """
    now = work.now()
    owners = {}
    for device_no in device_nos:
        ended = _in_force(work.session, device_no)
        for one in ended:
            one.ends_at = max(now, one.starts_at)
        owners[device_no] = [one.company_id for one in ended]
    work.session.flush()
    _tell(work, {no: [] for no in follow} | owners, now)
    return owners


def _tell(work: Work, ended: dict[int, list[str]], now: datetime, adoption: Adoption | None = None) -> None:
    """Has the stamps of these devices placed anew, and of those that stand in their place."""
    following = {
        heir: sorted({*ended.get(heir, ()), *companies})
        for device_no, companies in ended.items()
        for heir in repository.heirs(work.session, [device_no])
    }
    work.emit(ASSIGNMENTS_CHANGED, ended=ended | following, since=now, adoption=adoption)
    live.refresh_pages(work)
