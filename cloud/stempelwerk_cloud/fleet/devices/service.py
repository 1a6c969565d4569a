"""Use cases of the device registry (enrolment, heartbeats, names, history), and its interface for other rooms."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

import msgspec
from fastapi import Depends
from sqlalchemy import Exists, ScalarSelect, SQLColumnExpression
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices import queries
from stempelwerk_cloud.fleet.devices.changes import actions, keys
from stempelwerk_cloud.fleet.devices.queries import WatchedClock
from stempelwerk_cloud.fleet.devices.reported import beats, listing
from stempelwerk_cloud.fleet.devices.reported.beats import Heard
from stempelwerk_cloud.fleet.devices.reported.listing import ONLINE_FOR, ListedDevice
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
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.service import Subject
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.tables import display_form as shown_name
from stempelwerk_cloud.people.work import UnitOfWork

SILENT_COUNTS_FOR = timedelta(days=7)
"""How long a clock without heartbeats counts in the gauge of silent clocks. The limit keeps clocks out that are known
to be switched off.
"""
SERVER_ID: Slot[Platform, str | None] = Slot(lambda _: None)
_SERVER_ID_DRAWN: Slot[Session, bool] = Slot(lambda _: False)
"""Whether this transaction has created the server's id."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The data with which a clock enrols. Its texts are already cut to the length of their columns (`clipped`)."""

    serial: str
    mac: str
    profile: str
    version: str
    hardware_id: str
    public_key: bytes


def server_id(session: Session, platform: Platform) -> str:
    """Returns this installation's id for its clocks and creates it at the first call. The id is part of the database,
    so it is the same after a backup was restored.
    """
    cached_id = SERVER_ID.of(platform)
    if cached_id is not None:
        return cached_id
    stored_id = queries.server_id(session)
    if stored_id is None:
        queries.set_server_id(session, platform.ids.new(), platform.clock.now())
        stored_id = queries.server_id(session)
        assert stored_id is not None
        _SERVER_ID_DRAWN.set(session, True)
    elif not _SERVER_ID_DRAWN.of(session):  # not cached: the transaction may yet be rolled back
        SERVER_ID.set(platform, stored_id)
    return stored_id


def find_by_keyid(session: Session, keyid: str) -> Device | None:
    return queries.by_keyid(session, keyid)


def find_by_no(session: Session, device_no: int, device_id: str) -> Device | None:
    """Returns the device with this number; None if it does not exist or has another id, as after a restored backup."""
    device = queries.by_no(session, device_no)
    return None if device is None or device.id != device_id else device


def find(session: Session, device_id: str) -> Device:
    """Returns the device. Raises 404 if it does not exist."""
    device = queries.by_id(session, device_id)
    if device is None:
        raise not_found()
    return device


def lock(session: Session, device_no: int) -> None:
    """Locks the device until this transaction ends. Meanwhile no other transaction merges its stamps or changes its
    assignments.
    """
    queries.lock(session, device_no)


def find_to_enrol(session: Session, keyid: str) -> Device | None:
    """Locks the key against concurrent enrolment until this transaction ends. Returns the device with this key, or
    None.
    """
    queries.lock_key(session, keyid)
    return queries.by_keyid(session, keyid)


def enrol(session: Session, platform: Platform, identity: Identity) -> Device:
    """Returns the device of this key after storing what the clock reported; creates the device if the key is new.

    Sets `identity_conflict` if the known key comes from other hardware, or if several devices have the same serial. If
    two clocks enrol with one serial at once, the second transaction waits and then sees the first one's device.
    """
    keyid = keys.keyid(identity.public_key)
    device = find_to_enrol(session, keyid)
    serials = {identity.serial} if device is None else {identity.serial, device.serial}
    queries.lock_serials(session, serials)
    queries.lock_rivals(session, serials)
    if device is None:
        device = _new(session, platform, identity, keyid)
    elif not device.hardware_id:  # its key was reset
        device.hardware_id = identity.hardware_id
    elif device.hardware_id != identity.hardware_id:
        device.identity_conflict = True
    device.serial, device.mac = identity.serial, identity.mac
    device.profile, device.version = identity.profile, identity.version
    session.flush()
    queries.flag_serial(session, device.serial)
    return device


def current_lease(session: Session, device_no: int) -> DeviceLease:
    return queries.lease(session, device_no)


def assignment_now(session: Session, device_no: int, now: datetime) -> DeviceAssignment | None:
    return queries.assignment_at(session, device_no, now)


def note_beat(platform: Platform, heard: Heard, last_written: tuple[str, int] | None, *, is_known_boot: bool) -> bool:
    """Notes a heartbeat in this process's memory, to be written within about a second. Ignores it if it is older than a
    waiting one or than `last_written` (boot and boottimeMs of the newest stored heartbeat).

    `is_known_boot`: the heartbeat's boot is already stored. Returns False, and notes nothing, if a heartbeat of another
    boot of the device is waiting. The caller then calls `note_next_beat`.
    """
    return beats.BEATS.of(platform).note(heard, last_written, is_known_boot=is_known_boot)


def note_next_beat(platform: Platform, heard: Heard) -> None:
    """Writes all waiting heartbeats to the database, then notes this one, which is of a later boot than a
    waiting one.
    """
    beats.BEATS.of(platform).note_next(platform.database, heard)


def wake_beat_writer(platform: Platform) -> None:
    """Wakes the task that writes heartbeats, if some are waiting. Must be called on the event loop."""
    beats.BEATS.of(platform).wake()


async def keep_beats_written(platform: Platform) -> None:
    """Writes waiting heartbeats to the database, at most once a second, until the task is cancelled."""
    await beats.BEATS.of(platform).write_periodically(platform.database)


def write_beats(platform: Platform) -> None:
    """Writes this process's waiting heartbeats to the database. Must be called before the transaction that reads them
    begins.
    """
    beats.BEATS.of(platform).write(platform.database)


def _write_first(platform: PlatformDep) -> None:
    write_beats(platform)


BeatsWritten = Annotated[None, Depends(_write_first)]
"""Dependency of endpoints that read heartbeats from the database: it writes the waiting ones first. It is declared
after the guard and before the unit of work.

The order matters because a reading transaction of SQLite does not see commits that are later than its first read.
"""


def rename(work: UnitOfWork, device_id: str, changes: dict[str, str]) -> int:
    """Sets a device's `name` and `notes`, those that `changes` contains, and returns the device's number.

    They are stored in the current assignment, or in the device's label if it is unassigned. Raises 404 if the device
    belongs to another company than the caller may manage.
    """
    device = find(work.session, device_id)
    owner = _lock_owner(work, device.no)
    if owner is None:
        audit_company_id = companies.operator_company(work).id
        queries.lock_words(work.session, device)
        old_words = {"name": device.label, "notes": device.label_notes}
    else:
        audit_company_id = owner.company_id
        old_words = {"name": owner.name, "notes": owner.notes}
    new_words = dict(old_words)
    if "name" in changes:
        new_words["name"] = shown_name(changes["name"])[:NAME_LIMIT]
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
    """Returns all that the registry knows of a device, as keyword arguments for `device_api.about.DeviceDetail`. Raises
    404.

    The endpoint must depend on `BeatsWritten`, because the newest heartbeat is read from the database.
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
            for assignment, company in queries.assignments_named(session, device.no)
        ],
        "replaces": queries.related(session, queries.predecessors(session, device.no)),
        "replaced_by": queries.related(session, queries.successors(session, [device.no])),
    }


def history(work: UnitOfWork, device_id: str, starts_at: datetime, ends_at: datetime) -> list[DeviceMoment]:
    """Returns the device's states in this period (`DeviceMoment`), oldest first. Raises 404.

    The database gets a silence only when the device is heard again, so an ongoing silence is added here as the last
    moment. The endpoint must depend on `BeatsWritten`.
    """
    device_no = find(work.session, device_id).no
    moments = queries.moments(work.session, device_no, starts_at, ends_at)
    beat = work.session.get(DeviceBeat, device_no)
    silent_at = ends_at if beat is None else beat.seen_at + ONLINE_FOR
    if moments and silent_at <= min(ends_at, work.now()):
        moments.append(DeviceMoment(device_no=device_no, at=silent_at, online=False))
    return moments


def identified(session: Session, device_nos: Collection[int]) -> dict[int, tuple[str, str]]:
    """Returns a mapping from device number to (id, serial) for these devices."""
    return queries.identified(session, device_nos)


def name_at(
    company_id: SQLColumnExpression[Any], device_no: SQLColumnExpression[Any], instant: SQLColumnExpression[Any]
) -> ScalarSelect[str]:
    """Builds a subquery for other rooms: the company's name of the device at an instant, empty or null without a name.

    The name comes only from that company's assignment. Callers show the serial where it is missing.
    """
    return queries.name_at(company_id, device_no, instant)


def of_company(work: UnitOfWork, company_id: str) -> list[ListedDevice]:
    """Returns the clocks that belong to the company now, in the form of list entries."""
    return listing.page(work, None, None, company_id=company_id)[0]


def owned_at(company_id: str, device_no: SQLColumnExpression[Any], instant: SQLColumnExpression[Any]) -> Exists:
    """Builds a condition for other rooms: the device belonged to the company at an instant."""
    return queries.owned_at(company_id, device_no, instant)


def owners(session: Session, device_no: int) -> Sequence[DeviceAssignment]:
    """Returns the past and current assignments of the device, oldest first."""
    return queries.assignments(session, device_no)


def audit_labels(session: Session, company_id: str, subjects: Collection[Subject]) -> dict[Subject, str]:
    """Returns the labels of devices for the entries of a company's audit log: their names, or else their serials.

    An entry is labelled with the name from the company's assignment that was the newest one when the entry was written.
    The assignment in force at that instant would be wrong: the end of an assignment is logged a moment after it ended,
    and an assignment can begin in the past.
    """
    ids = {subject.id for subject in subjects}
    serials = queries.serials(session, ids)
    names = {subject: serials[subject.id] for subject in subjects if subject.id in serials}
    for device_id, name, assigned_at in queries.names_by_assignment(session, company_id, ids):
        for subject in subjects:
            if subject.id == device_id and assigned_at <= subject.written_at:
                names[subject] = name or serials[device_id]
    return names


def online_count(platform: Platform) -> int:
    """Counts the clocks of the whole installation that are online, including heartbeats that other processes
    received.
    """
    write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        return queries.online(session, platform.clock.now() - ONLINE_FOR)


def silent_count(platform: Platform) -> int:
    """Counts the assigned clocks that are not online now, but were within the last `SILENT_COUNTS_FOR`."""
    now = platform.clock.now()
    write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        heard = [clock.seen_at for clock in queries.watched(session, now, None)]
    return sum(now - SILENT_COUNTS_FOR < seen_at <= now - ONLINE_FOR for seen_at in heard if seen_at is not None)


def running(session: Session) -> dict[tuple[str, str], int]:
    """Counts the clocks in use by (channel, version). The versions are those of the heartbeats in the database."""
    return queries.running(session)


def undelivered(session: Session, company_id: str, starts_at: datetime, ends_at: datetime) -> bool:
    """Returns whether a clock that belonged to the company in this period may still have stamps of that period to
    deliver.

    That holds for a clock that was silent since the end of the period, or that reported a queue. Call `write_beats`
    before.
    """
    return queries.undelivered(session, company_id, starts_at, ends_at)


def watched(session: Session, now: datetime, company_id: str | None = None) -> list[WatchedClock]:
    """Returns the assigned clocks that have sent a heartbeat since they were assigned, of one company or (None) of
    all. Call `write_beats` before.
    """
    return queries.watched(session, now, company_id)


def had_reader(session: Session, device_nos: Collection[int], worked_since: datetime) -> set[int]:
    """Returns the numbers of those clocks whose reader has worked since `worked_since`. Looks back 90 days at most,
    because older moments are deleted.
    """
    return queries.had_reader(session, device_nos, worked_since)


def clipped(text: object) -> str:
    """Returns a text of a clock as the database can store it: without U+0000 and cut to `TEXT_LIMIT`; "" for other
    values.
    """
    return text.replace("\0", "")[:TEXT_LIMIT] if isinstance(text, str) else ""


def _lock_owner(work: UnitOfWork, device_no: int) -> DeviceAssignment | None:
    """Returns the device's current assignment, or None if it is unassigned. Locks its name and notes, and keeps its
    company from being closed, until the transaction ends.

    Raises 404 if the caller may not manage the devices of that company. If the device changes its company while this
    transaction waits for the locks, the new company is locked and checked instead.
    """
    while True:
        owner = queries.assignment_at(work.session, device_no, work.now())
        work.caller.must_reach("" if owner is None else owner.company_id)
        if owner is None:
            return None
        step = savepoint(work.session)
        work.company(owner.company_id)
        queries.lock_words(work.session, owner)
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
