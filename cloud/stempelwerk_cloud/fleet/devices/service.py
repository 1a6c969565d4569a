"""Use cases of the device registry, and the interface for other rooms."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

import msgspec
from fastapi import Depends
from sqlalchemy import Exists, ScalarSelect, SQLColumnExpression
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices import actions, beats, keys, listing, repository
from stempelwerk_cloud.fleet.devices.assignments import Adoption, find_locked
from stempelwerk_cloud.fleet.devices.beats import Heard
from stempelwerk_cloud.fleet.devices.keys import PublicKeyRefused, keyid, read_public_key
from stempelwerk_cloud.fleet.devices.listing import ONLINE_FOR, ListedDevice
from stempelwerk_cloud.fleet.devices.repository import WatchedClock, devices_by_assignment, late_stamps
from stempelwerk_cloud.fleet.devices.schemas import DeviceRow, ScannerRow
from stempelwerk_cloud.fleet.devices.states import ClockState, in_channel, of_device, signs_at
from stempelwerk_cloud.fleet.devices.tables import (
    NAME_LIMIT,
    NOTES_LIMIT,
    TEXT_LIMIT,
    Device,
    DeviceAssignment,
    DeviceBeat,
    DeviceLease,
    DeviceMoment,
)
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import savepoint
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform, PlatformDep
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.service import Subject
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import UnitOfWork

__all__ = [
    "ONLINE_FOR",
    "Adoption",
    "BeatsWritten",
    "ClockState",
    "Device",
    "DeviceAssignment",
    "DeviceRow",
    "Heard",
    "Identity",
    "PublicKeyRefused",
    "ScannerRow",
    "WatchedClock",
    "assignment_now",
    "audit_labels",
    "clipped",
    "current_lease",
    "describe_device",
    "devices_by_assignment",
    "enrol",
    "find",
    "find_by_keyid",
    "find_by_no",
    "find_locked",
    "find_to_enrol",
    "history",
    "identified",
    "in_channel",
    "keep_beats_written",
    "keyid",
    "late_stamps",
    "lock",
    "name_at",
    "note_beat",
    "note_next_beat",
    "of_company",
    "of_device",
    "online_count",
    "owned_at",
    "owners",
    "read_public_key",
    "rename",
    "running",
    "server_id",
    "signs_at",
    "silent_count",
    "undelivered",
    "wake_beat_writer",
    "watched",
    "write_beats",
]


SILENT_COUNTS_FOR = timedelta(days=7)
"""How long an unheard clock counts as silent in the figures. Operators know of it after that."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A clock's own data when it enrols. Texts are cut to the length of the columns."""

    serial: str
    mac: str
    profile: str
    version: str
    hardware_id: str
    public_key: bytes


def server_id(session: Session, platform: Platform) -> str:
    """Returns this installation's id for its clocks, created at the first call. A restored backup brings it back."""
    cached_id: str | None = platform.state.get("server_id")
    if cached_id is not None:
        return cached_id
    stored_id = repository.server_id(session)
    if stored_id is None:
        repository.set_server_id(session, platform.ids.new(), platform.clock.now())
        stored_id = repository.server_id(session)
        assert stored_id is not None
        session.info["server_id_drawn"] = True
    elif "server_id_drawn" not in session.info:  # not cached: the transaction may yet be rolled back
        platform.state["server_id"] = stored_id
    return stored_id


def find_by_keyid(session: Session, keyid: str) -> Device | None:
    return repository.by_keyid(session, keyid)


def find_by_no(session: Session, device_no: int, device_id: str) -> Device | None:
    """Returns the device of this number, if it still has this id."""
    device = repository.by_no(session, device_no)
    return None if device is None or device.id != device_id else device


def find(session: Session, device_id: str) -> Device:
    """Returns the device, or raises 404."""
    device = repository.by_id(session, device_id)
    if device is None:
        raise not_found()
    return device


def lock(session: Session, device_no: int) -> None:
    """Locks the device until this transaction ends, against merging its stamps and changing its assignments."""
    repository.lock(session, device_no)


def find_to_enrol(session: Session, keyid: str) -> Device | None:
    """Locks the key until this transaction ends, and returns its device if it is known."""
    repository.lock_key(session, keyid)
    return repository.by_keyid(session, keyid)


def enrol(session: Session, platform: Platform, identity: Identity) -> Device:
    """Returns the device of this key, new or known. Flags identity conflicts.

    If two clocks enrol with one serial at once, the second waits and then sees the first.
    """
    keyid = keys.keyid(identity.public_key)
    device = find_to_enrol(session, keyid)
    serials = {identity.serial} if device is None else {identity.serial, device.serial}
    repository.lock_serials(session, serials)
    repository.lock_rivals(session, serials)
    if device is None:
        device = _new(session, platform, identity, keyid)
    elif not device.hardware_id:  # its key was reset
        device.hardware_id = identity.hardware_id
    elif device.hardware_id != identity.hardware_id:
        device.identity_conflict = True
    device.serial, device.mac = identity.serial, identity.mac
    device.profile, device.version = identity.profile, identity.version
    session.flush()
    repository.flag_serial(session, device.serial)
    return device


def current_lease(session: Session, device_no: int) -> DeviceLease:
    return repository.lease(session, device_no)


def assignment_now(session: Session, device_no: int, now: datetime) -> DeviceAssignment | None:
    return repository.assignment_at(session, device_no, now)


def note_beat(platform: Platform, heard: Heard, last_written: tuple[str, int] | None, *, is_known_boot: bool) -> bool:
    """Notes a heartbeat that is newer than all before, including `last_written` (boot, boottimeMs). It is written soon.

    `is_known_boot`: its boot is stored already. Returns False if another boot of the device has to be written first
    (`note_next_beat`).
    """
    return beats.get_beats(platform).note(heard, last_written, is_known_boot=is_known_boot)


def note_next_beat(platform: Platform, heard: Heard) -> None:
    """Notes a heartbeat of a new boot, after writing the waiting ones."""
    beats.get_beats(platform).note_next(platform.database, heard)


def wake_beat_writer(platform: Platform) -> None:
    """Signals, on the event loop, that there may be heartbeats to write."""
    beats.get_beats(platform).wake()


async def keep_beats_written(platform: Platform) -> None:
    """Writes the noted heartbeats at most once a second, until it is cancelled."""
    await beats.get_beats(platform).write_periodically(platform.database)


def write_beats(platform: Platform) -> None:
    """Writes the noted heartbeats. Call it before the transaction that reads them begins."""
    beats.get_beats(platform).write(platform.database)


def _write_first(platform: PlatformDep) -> None:
    write_beats(platform)


BeatsWritten = Annotated[None, Depends(_write_first)]
"""For endpoints that read written heartbeats: declared between the guard and the unit of work.

A reading transaction of SQLite does not see later commits than its first read.
"""


def rename(work: UnitOfWork, device_id: str, changes: dict[str, str]) -> int:
    """Sets name and notes, as given, and returns the device's number. Raises 404 for another company's device.

    They belong to the assignment in force; without an assignment they are the device's label.
    """
    device = find(work.session, device_id)
    owner = _lock_owner(work, device.no)
    if owner is None:
        audit_company_id = companies.operator_company(work).id
        repository.lock_words(work.session, device)
        old_words = {"name": device.label, "notes": device.label_notes}
    else:
        audit_company_id = owner.company_id
        old_words = {"name": owner.name, "notes": owner.notes}
    new_words = dict(old_words)
    if "name" in changes:
        new_words["name"] = directory.shown_name(changes["name"])[:NAME_LIMIT]
    if "notes" in changes:
        new_words["notes"] = changes["notes"][:NOTES_LIMIT]
    if new_words == old_words:
        return device.no
    if owner is None:
        device.label, device.label_notes = new_words["name"], new_words["notes"]
    else:
        owner.name, owner.notes = new_words["name"], new_words["notes"]
    work.session.flush()
    words = [{name: audit.ErasableText(text) for name, text in values.items()} for values in (old_words, new_words)]
    work.audit(audit_company_id, actions.CHANGED, device.id, *words)
    return device.no


def describe_device(work: UnitOfWork, device_id: str) -> dict[str, Any]:
    """Returns all that the registry knows of a device, with the field names of `device_api/about.py`. Comes after
    `BeatsWritten`. Raises 404.
    """
    session, device = work.session, find(work.session, device_id)
    beat = session.get(DeviceBeat, device.no)
    return {
        **msgspec.structs.asdict(listing.find_listed(work, device.no, withdrawn=True)),
        "no": device.no,
        "profile": device.profile,
        "disk_free_mb": beat and beat.disk_free_mb,
        "uptime_s": beat and beat.uptime_s,
        "scanners": msgspec.json.decode(beat.scanners) if beat is not None and beat.scanners is not None else [],
        "platform": beat and beat.platform,
        "update_state": beat and beat.update_state,
        "update_version": beat and beat.update_version,
        "enrolled_at": device.enrolled_at,
        "withdrawn": device.withdrawn,
        "withdrawn_at": device.revoked_at,
        "withdrawn_why": device.withdrawn_why,
        "assignments": [
            {"from_": assignment.starts_at, "to": assignment.ends_at, "company_name": company, "name": assignment.name}
            for assignment, company in repository.assignments_named(session, device.no)
        ],
        "replaces": repository.related(session, repository.predecessors(session, device.no)),
        "replaced_by": repository.related(session, repository.successors(session, [device.no])),
    }


def history(work: UnitOfWork, device_id: str, starts_at: datetime, ends_at: datetime) -> list[DeviceMoment]:
    """Returns the device's moments in this period, oldest first. Comes after `BeatsWritten`. Raises 404.

    A silence is stored when the device is heard again; an ongoing one is added as the last moment.
    """
    device_no = find(work.session, device_id).no
    moments = repository.moments(work.session, device_no, starts_at, ends_at)
    beat = work.session.get(DeviceBeat, device_no)
    silent_at = ends_at if beat is None else beat.seen_at + ONLINE_FOR
    if moments and silent_at <= min(ends_at, work.now()):
        moments.append(DeviceMoment(device_no=device_no, at=silent_at, online=False))
    return moments


def identified(session: Session, device_nos: Collection[int]) -> dict[int, tuple[str, str]]:
    """Returns id and serial of these devices, by number."""
    return repository.identified(session, device_nos)


def name_at(
    company_id: SQLColumnExpression[Any], device_no: SQLColumnExpression[Any], instant: SQLColumnExpression[Any]
) -> ScalarSelect[str]:
    """Builds a subquery for other rooms: the company's name of the device at an instant, empty or null without a name.

    The name comes only from that company's assignment. Callers show the serial where it is missing.
    """
    return repository.name_at(company_id, device_no, instant)


def of_company(work: UnitOfWork, company_id: str) -> list[ListedDevice]:
    """Returns the company's clocks, as lists show them."""
    return listing.page(work, None, None, company_id=company_id)[0]


def owned_at(company_id: str, device_no: SQLColumnExpression[Any], instant: SQLColumnExpression[Any]) -> Exists:
    """Builds a condition for other rooms: the device belonged to the company at an instant."""
    return repository.owned_at(company_id, device_no, instant)


def owners(session: Session, device_no: int) -> Sequence[DeviceAssignment]:
    """Returns the past and current assignments of the device, oldest first."""
    return repository.assignments(session, device_no)


def audit_labels(session: Session, company_id: str, subjects: Collection[Subject]) -> dict[Subject, str]:
    """Returns the names of the devices in entries of a company's audit log, or else their serials.

    An entry uses the assignment that was the company's newest when it was written: the end of an assignment is logged a
    moment after it ended, and a later assignment may reach back before it.
    """
    ids = {subject.id for subject in subjects}
    serials = repository.serials(session, ids)
    names = {subject: serials[subject.id] for subject in subjects if subject.id in serials}
    for device_id, name, assigned_at in repository.names_by_assignment(session, company_id, ids):
        for subject in subjects:
            if subject.id == device_id and assigned_at <= subject.written_at:
                names[subject] = name or serials[device_id]
    return names


def online_count(platform: Platform) -> int:
    """Counts the clocks of the whole installation that were heard lately, by any of its processes."""
    write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        return repository.online(session, platform.clock.now() - ONLINE_FOR)


def silent_count(platform: Platform) -> int:
    """Counts the assigned clocks that were heard within a week and are silent now."""
    now = platform.clock.now()
    write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        heard = [clock.seen_at for clock in repository.watched(session, now, None)]
    return sum(now - SILENT_COUNTS_FOR < seen_at <= now - ONLINE_FOR for seen_at in heard if seen_at is not None)


def running(session: Session) -> dict[tuple[str, str], int]:
    """Counts the clocks in use by channel and version, according to their written heartbeats."""
    return repository.running(session)


def undelivered(session: Session, company_id: str, starts_at: datetime, ends_at: datetime) -> bool:
    """Returns whether a clock that belonged to the company in this period may still have stamps of it: silent since the
    end, or with a queue. Call `write_beats` before.
    """
    return repository.undelivered(session, company_id, starts_at, ends_at)


def watched(session: Session, now: datetime, company_id: str | None = None) -> list[WatchedClock]:
    """Returns the clocks of all companies, or of one, that were heard since their assignment. Needs `write_beats`."""
    return repository.watched(session, now, company_id)


def had_reader(session: Session, device_nos: Collection[int], worked_since: datetime) -> set[int]:
    """Returns those of these clocks whose reader has worked since then. Moments are kept 90 days."""
    return repository.had_reader(session, device_nos, worked_since)


def clipped(text: object) -> str:
    """Returns a clock's text as it is stored: without U+0000, cut to the column's length."""
    return text.replace("\0", "")[:TEXT_LIMIT] if isinstance(text, str) else ""


def _lock_owner(work: UnitOfWork, device_no: int) -> DeviceAssignment | None:
    """Returns the assignment in force with its company kept open and its names locked; None: unassigned.

    Raises 404 unless the caller reaches its company, also if the device goes to another one in the meantime.
    """
    while True:
        owner = repository.assignment_at(work.session, device_no, work.now())
        work.caller.must_reach("" if owner is None else owner.company_id)
        if owner is None:
            return None
        step = savepoint(work.session)
        work.company(owner.company_id)
        repository.lock_words(work.session, owner)
        if owner.ends_at is None or owner.ends_at > work.now():
            step.commit()
            return owner
        step.rollback()  # releases all locks of this company before those of another are taken


def _new(session: Session, platform: Platform, identity: Identity, keyid: str) -> Device:
    device = Device(
        id=platform.ids.new(),
        keyid=keyid,
        public_key=identity.public_key,
        claim_code=keys.claim_code(identity.public_key),
        serial=identity.serial,
        hardware_id=identity.hardware_id,
        mac=identity.mac,
        profile=identity.profile,
        version=identity.version,
        identity_conflict=False,
        enrolled_at=platform.clock.now(),
    )
    session.add(device)
    session.flush()
    session.add(DeviceLease(device_no=device.no))
    return device
