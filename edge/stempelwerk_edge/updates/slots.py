"""Fills the unused slot with a release that the channel vouches for: the updater's part, under its own user.

The agent has laid down what it fetched (`exchange/incoming`) and its request (`exchange/wanted.json`: `target` and
`at`, the time for judging dates). Everything is judged again here. `slots/report.json` has the outcome: `at` as asked,
`state` (`ready`, `refused`) and `why`. A slot counts once its `slot.json` exists, which is written last.
"""

import hashlib
import importlib.util
import logging
import py_compile
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile

from stempelwerk_edge.errors import NotFetched, NotTrusted
from stempelwerk_edge.updates.launcher import (
    DISK,
    SLOTS,
    Disk,
    Places,
    Record,
    digest,
    is_sound,
    own_platform,
    read,
    slots,
    store,
)
from stempelwerk_edge.updates.trust import Release, Repository

log = logging.getLogger(__name__)

_MOST_BYTES = 300 << 20


def fill(places: Places, disk: Disk = DISK) -> bool:
    """Carries out the agent's request; returns whether the release is now in a slot."""
    request = read(places.base / "exchange" / "wanted.json")
    report: Record = {"at": request.get("at"), "state": "ready", "why": None}
    try:
        _fill(places, str(request.get("target")), _instant(request.get("at")), disk)
    except (NotTrusted, NotFetched, BadZipFile, OSError, SyntaxError) as fault:
        report |= {"state": "refused", "why": f"{type(fault).__name__}: {fault}"}
        log.warning("not installed: %s", report["why"])
    store(places.base / "slots" / "report.json", report, disk)
    return bool(report["state"] == "ready")


def _instant(value: object) -> datetime:
    try:
        return datetime.fromisoformat(str(value)).astimezone(UTC)
    except ValueError as fault:
        raise NotTrusted("it is not said by which time to judge") from fault


def _fill(places: Places, target: str, now: datetime, disk: Disk) -> None:
    slots_dir, incoming = places.base / "slots", places.base / "exchange" / "incoming"

    def fetch(url: str) -> bytes | None:
        path = incoming / url
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None

    root = (places.base / "root.json").read_bytes()
    release = Repository(slots_dir / "trusted", root, fetch, now).release(target, slots_dir / "wheels")
    existing = slots(places)
    matching = [where for where in existing.values() if where[1]["manifest"] == release.manifest]
    if not any(is_sound(*where) for where in matching):
        folder = _free(places, {folder: slot["id"] for folder, slot in existing.values()})
        try:
            _unpack(places, release, folder, disk)
        except Exception:
            disk.remove(folder)  # on a full disk half a version would take the room that taps need
            raise
    _forget_other_wheels(places, release, disk)


def _free(places: Places, filled: dict[Path, str]) -> Path:
    """Returns the slot that is neither the kept version nor the one on trial."""
    record = read(places.record)
    used = {part["id"] for part in (record.get("kept"), record.get("trial")) if part}
    free = [places.slot(name) for name in SLOTS if filled.get(places.slot(name)) not in used]
    if not free:
        raise NotFetched("a version is being tried: there is no free slot")
    return min(free, key=lambda folder: folder in filled)


def _unpack(places: Places, release: Release, folder: Path, disk: Disk) -> None:
    marker = folder / "slot.json"
    disk.remove(marker)
    if folder.exists():
        disk.sync_folder(folder)
    disk.remove(folder)
    disk.make_folder(folder)
    files, folders = {}, {folder}
    for name, data in _contents(release):
        path = folder / name
        if path.parent not in folders:
            disk.make_folder(path.parent)
            folders.update(part for part in path.parents if folder in part.parents)
        disk.write(path, data)
        files[name] = hashlib.sha256(data).hexdigest()
    for part in sorted(folders):
        disk.sync_folder(part)
    disk.sync_folder(folder.parent)
    slot = {"id": digest(files), "version": release.version, "platform": own_platform(), "files": files}
    store(marker, {**slot, "target": release.target, "manifest": release.manifest}, disk)


def _contents(release: Release) -> Iterator[tuple[str, bytes]]:
    """Yields the files of all wheels, and the compiled form of each Python file: the user who runs it cannot write
    it.
    """
    size = 0
    with tempfile.TemporaryDirectory() as scratch:
        for wheel in release.wheels:
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.infolist():
                    name = PurePosixPath(member.filename)
                    if member.is_dir():
                        continue
                    size += member.file_size
                    if (
                        name.is_absolute()
                        or ".." in name.parts
                        or name == PurePosixPath("slot.json")
                        or size > _MOST_BYTES
                    ):
                        raise NotTrusted(f"{wheel.name} holds {member.filename}")
                    data = archive.read(member)
                    yield str(name), data
                    if name.suffix == ".py":
                        yield from _compiled(name, data, Path(scratch))


def _compiled(name: PurePosixPath, source: bytes, scratch: Path) -> Iterator[tuple[str, bytes]]:
    """Yields a source's compiled file, valid whatever the source's time; nothing for a source that this Python cannot
    compile.
    """
    source_file, compiled_file = scratch / "source.py", scratch / "compiled.pyc"
    source_file.write_bytes(source)
    try:
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(source_file), str(compiled_file), str(name), doraise=True, invalidation_mode=unchecked)
    except py_compile.PyCompileError:
        return
    yield importlib.util.cache_from_source(str(name)), compiled_file.read_bytes()


def _forget_other_wheels(places: Places, release: Release, disk: Disk) -> None:
    """Deletes wheels of other releases: the next release can reuse those of the newest one only."""
    store_of_wheels = places.base / "slots" / "wheels"
    for path in store_of_wheels.glob("*/*"):
        if path not in release.wheels and path.suffix == ".whl":
            disk.remove(path)
