"""Use cases of the device registry: enrolled, heard, named, assigned. The door to this room."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.devices import assignments, beats, keys, repository
from stempelwerk_cloud.fleet.devices.assignments import find_locked
from stempelwerk_cloud.fleet.devices.beats import Heard
from stempelwerk_cloud.fleet.devices.tables import (
    NAME_LIMIT,
    NOTES_LIMIT,
    TEXT_LIMIT,
    Device,
    DeviceAssignment,
    DeviceBeat,
    DeviceLease,
)
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.problems import not_found
from stempelwerk_cloud.people import names
from stempelwerk_cloud.people.access.callers import Caller
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.companies import service as companies

__all__ = ["Heard", "find_locked"]

ONLINE_FOR = timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a clock says about itself when it enrols. Texts are cut to what is kept."""

    serial: str
    mac: str
    profile: str
    version: str
    hardware_id: str
    public_key: bytes


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """A device as lists show it. `beat` is its newest heartbeat, `company_id` whose it is now."""

    device: Device
    beat: DeviceBeat | Heard | None
    lease: DeviceLease
    company_id: str | None
    company_name: str | None
    is_online: bool


def install(platform: Platform) -> None:
    """Subscribes to what happens below; called once, where the application is put together."""
    assignments.install(platform)
    audit.named_by(platform, "device", lambda session, _company_id, ids: repository.named_ids(session, ids))


def server_id(session: Session, platform: Platform) -> str:
    """Who this installation is to its clocks; drawn when it is first asked, and again after a restore."""
    known: str | None = platform.state.get("server_id")
    if known is not None:
        return known
    found = repository.server_id(session)
    if found is None:
        repository.set_server_id(session, platform.ids.new(), platform.clock.now())
        found = repository.server_id(session)
        assert found is not None
        session.info["server_id_drawn"] = True
    elif "server_id_drawn" not in session.info:  # what may yet be rolled back is not remembered
        platform.state["server_id"] = found
    return found


def forget_server_id(session: Session) -> None:
    """After a restore: the next clock to ask meets a new server, and sends again what this one may have lost."""
    repository.forget_server_id(session)


def find_by_keyid(session: Session, keyid: str) -> Device | None:
    return repository.by_keyid(session, keyid)


def find_by_no(session: Session, device_no: int, device_id: str) -> Device | None:
    """The device of this number, if it is still the one with this id."""
    device = repository.by_no(session, device_no)
    return None if device is None or device.id != device_id else device


def find(session: Session, device_id: str) -> Device:
    """The device, or 404."""
    device = repository.by_id(session, device_id)
    if device is None:
        raise not_found()
    return device


def lock(session: Session, device_no: int) -> None:
    """Nobody else merges this device's stamps or changes its assignments before this transaction ends."""
    repository.lock(session, device_no)


def enrol(session: Session, platform: Platform, identity: Identity) -> Device:
    """The device of this key, new or known. Raises the identity conflict on whom it concerns."""
    keyid = keys.keyid(identity.public_key)
    device = repository.by_keyid(session, keyid)
    if device is None:
        device = _new(session, platform, identity, keyid)
    elif device.hardware_id != identity.hardware_id:
        device.identity_conflict = True
    device.serial, device.mac = identity.serial, identity.mac
    device.profile, device.version = identity.profile, identity.version
    session.flush()
    if device.serial:
        repository.flag_serial(session, device.serial)
    return device


def current_lease(session: Session, device_no: int) -> DeviceLease:
    return repository.lease(session, device_no)


def assignment_now(session: Session, device_no: int, now: datetime) -> DeviceAssignment | None:
    return repository.assignment_at(session, device_no, now)


def note_beat(session: Session, platform: Platform, heard: Heard, written: tuple[str, int] | None) -> None:
    """Notes a heartbeat that is newer than all before, `written` (boot, boottimeMs) among them; it is written soon."""
    beats.of(platform).note(session, platform.database, heard, written)


def let_beats_be_written(platform: Platform) -> None:
    """Says, on the event loop, that there may be heartbeats to write."""
    beats.of(platform).waiting.set()


async def keep_beats_written(platform: Platform) -> None:
    """Writes what heartbeats have said, at most once a second, until it is cancelled."""
    await beats.of(platform).keep_written(platform.database)


def write_beats(platform: Platform) -> None:
    """Writes what heartbeats have said and is not written yet."""
    beats.of(platform).write(platform.database)


def listed(
    session: Session, platform: Platform, *, company_id: str | None = None, device_no: int | None = None
) -> list[ListedDevice]:
    """Devices that are not withdrawn; all, or a company's, or one."""
    now, unwritten = platform.clock.now(), beats.of(platform).unwritten()
    rows = repository.listed(session, now, company_id=company_id, device_no=device_no)
    owners = {owner: companies.company_name(session, owner) for *_, owner in rows if owner is not None}
    return [
        _listed(device, beats.newest(unwritten.get(device.no), written), lease, owner, owners, now)
        for device, written, lease, owner in rows
    ]


def clocks_of(session: Session, platform: Platform, caller: Caller) -> list[ListedDevice]:
    """The devices that are now the company's that the call is about."""
    return listed(session, platform, company_id=caller.subject_company_id)


def rename(session: Session, platform: Platform, caller: Caller, device_id: str, changes: dict[str, str]) -> int:
    """Sets name and notes, whichever is given; the device's number. 404 for another company's device."""
    device = find(session, device_id)
    owner = repository.assignment_at(session, device.no, platform.clock.now())
    if owner is None:
        caller.must_reach("")
    else:
        caller.must_reach(owner.company_id)
        companies.keep_open(session, owner.company_id)
    was = {"name": device.name, "notes": device.notes}
    if "name" in changes:
        device.name = names.shown(changes["name"])[:NAME_LIMIT]
    if "notes" in changes:
        device.notes = changes["notes"][:NOTES_LIMIT]
    session.flush()
    became = {"name": device.name, "notes": device.notes}
    if became != was:
        told = companies.operator_company(session, platform).id if owner is None else owner.company_id
        words = [{name: audit.Word(text) for name, text in said.items()} for said in (was, became)]
        audit.append(session, platform, told, caller.user_id, "device.changed", device.id, *words)
    return device.no


def names_of(session: Session, device_nos: Collection[int]) -> dict[int, tuple[str, str]]:
    """Id and shown name of these devices, by number."""
    return repository.named(session, device_nos)


def online_count(session: Session, now: datetime) -> int:
    return repository.online(session, now - ONLINE_FOR)


def clipped(text: object) -> str:
    """A text from a clock as it is kept: without U+0000, and no longer than a column."""
    return text.replace("\0", "")[:TEXT_LIMIT] if isinstance(text, str) else ""


def _listed(
    device: Device,
    beat: DeviceBeat | Heard | None,
    lease: DeviceLease,
    owner: str | None,
    owners: Mapping[str, str],
    now: datetime,
) -> ListedDevice:
    name = None if owner is None else owners[owner]
    return ListedDevice(device, beat, lease, owner, name, beat is not None and now - beat.seen_at < ONLINE_FOR)


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
