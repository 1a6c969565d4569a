"""Starts the clock's program: the version that is kept, the one on trial, or else the package's own.

The package installs this file on its own (`/usr/lib/stempelwerk-edge/launcher.py`), and no update replaces it: it needs
only the standard library (`python3 -I -S`), and the form of its files stays what it is. It becomes the program
by exec, so that systemd's watchdog watches that. Something is started whatever goes wrong here.

`exchange/launch.json` (the agent's; members that this file does not know stay):
    kept    {id, version, package} | null   the version that runs, and the package's when it was kept
    trial   {id, version, tries} | null     the version to be tried, and how often it was started
    failed  {id, version} | null            the last one that was tried in vain
`slots/a/slot.json`, `slots/b/slot.json` (the updater's):
    id, version, platform, files {path: SHA-256}; `id` is the SHA-256 of `files`. Without the file there is no slot.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TRIES = 3
SLOTS = ("a", "b")
_TRIAL_S = 300
_BASE = "/var/lib/stempelwerk-update"
_PACKAGE = "/opt/stempelwerk-edge"
_PROGRAM = """\
import sys
sys.path.insert(0, sys.argv.pop(1))
from stempelwerk_edge.__main__ import main
sys.exit(main())
"""

Record = dict[str, Any]


class Disk:
    """The disk's writes, made so that a power cut leaves the old or the new. A test uses a disk that forgets."""

    def make_folder(self, folder: Path) -> None:
        """Makes a folder, with those above it."""
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, path: Path, data: bytes) -> None:
        """Writes a world-readable file and syncs its content."""
        with path.open("wb") as file:
            os.fchmod(file.fileno(), 0o644)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def replace(self, path: Path, target: Path) -> None:
        """Renames a file to `target`, in place of a file of that name."""
        path.replace(target)

    def remove(self, path: Path) -> None:
        """Removes a file or a folder with all in it, if it exists."""
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Syncs the names in a folder."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


DISK = Disk()


@dataclass(frozen=True)
class Places:
    """Where everything lies: `base` is root's, with a folder of each user's own; `package` is the package's program."""

    base: Path
    package: Path = Path(_PACKAGE)

    @property
    def record(self) -> Path:
        """The file with the version that runs, and the one on trial."""
        return self.base / "exchange" / "launch.json"

    def slot(self, name: str) -> Path:
        """Returns the folder of a slot."""
        return self.base / "slots" / name

    @classmethod
    def from_environment(cls) -> "Places | None":
        """Returns the paths that the systemd unit has set; None without them: then nothing is updated."""
        base = os.environ.get("STEMPELWERK_UPDATES")
        return None if base is None else cls(Path(base), Path(os.environ.get("STEMPELWERK_PACKAGE", _PACKAGE)))

    def package_version(self) -> str:
        """Returns the version of the package's program; "0" if it is not there."""
        candidates = self.package.glob("lib/python3*/site-packages/stempelwerk_edge-*.dist-info")
        return max((path.name.split("-")[1].removesuffix(".dist") for path in candidates), key=order, default="0")


def trial_seconds() -> int:
    """Returns how long one start of a version on trial may take until it has proven itself."""
    return int(os.environ.get("STEMPELWERK_TRIAL_S", _TRIAL_S))


def own_platform() -> str:
    """Returns the platform of this machine, as manifests and slots name it."""
    return f"cp{sys.version_info[0]}{sys.version_info[1]}-{os.uname().machine}"


def order(version: str) -> tuple[int, ...]:
    """Returns the sort key of a version: its numbers."""
    return tuple(int(number) for number in re.findall(r"\d+", version))


def digest(content: object) -> str:
    """Returns the SHA-256 of a value in JSON."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def read(path: Path) -> Record:
    """Reads a file of ours; empty if it is missing or unreadable."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def store(path: Path, content: Record, disk: Disk = DISK) -> None:
    """Writes a file of ours so that the old or the new one exists, whenever the power goes. Raises OSError."""
    beside = path.with_suffix(".new")
    disk.write(beside, json.dumps(content, sort_keys=True).encode())
    disk.replace(beside, path)
    disk.sync_folder(path.parent)


def slots(places: Places) -> dict[str, tuple[Path, Record]]:
    """Returns the slots of this platform by their ids, with their folders; does not look at their content yet."""
    slots_by_id = {}
    for folder in map(places.slot, SLOTS):
        slot = read(folder / "slot.json")
        if slot.get("platform") == own_platform() and slot.get("id") == digest(slot.get("files")):
            slots_by_id[slot["id"]] = (folder, slot)
    return slots_by_id


def is_sound(folder: Path, slot: Record) -> bool:
    """Returns whether every file of a slot is what it was when it was filled."""
    try:
        for name, expected in slot["files"].items():
            with (folder / name).open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                    return False
    except OSError:
        return False
    return True


def step(record: Record, sound: set[str], package: str) -> tuple[str | None, Record]:
    """Returns the version to start (None: the package's own), and the record to write down before. Pure.

    A trial that was started often enough, or is not sound, has failed. A package that has come since a version was
    kept, and is newer than that, takes its place; an older one does not.
    """
    kept_slot, trial = record.get("kept"), record.get("trial")
    if trial and trial["id"] in sound and trial["tries"] < TRIES:
        return trial["id"], {**record, "trial": {**trial, "tries": trial["tries"] + 1}}
    if trial:
        record = {**record, "trial": None, "failed": {"id": trial["id"], "version": trial["version"]}}
    if kept_slot and package != kept_slot["package"] and order(package) > order(kept_slot["version"]):
        kept_slot, record = None, {**record, "kept": None}
    return kept_slot["id"] if kept_slot and kept_slot["id"] in sound else None, record


def choose(places: Places, *, counting: bool, disk: Disk = DISK) -> tuple[str, Path] | None:
    """Returns the slot to start, as id and folder; None: the package's program. `counting`: it is the clock that
    starts.

    A try that cannot be written down does not happen: the kept version is started.
    """
    record, available = read(places.record), slots(places)
    recorded_ids = {part["id"] for part in (record.get("kept"), record.get("trial")) if part}
    sound = {name for name in recorded_ids & available.keys() if is_sound(*available[name])}
    without = {**record, "trial": None}
    chosen_slot, next_record = step(record if counting else without, sound, places.package_version())
    if counting and next_record != record:
        try:
            store(places.record, next_record, disk)
        except OSError as fault:
            print(f"launcher: {places.record} cannot be written: {fault}", file=sys.stderr)  # noqa: T201
            chosen_slot, _ = step(without, sound, places.package_version())
    return None if chosen_slot is None else (chosen_slot, available[chosen_slot][0])


def main(arguments: list[str]) -> None:
    """Replaces this process by the chosen program, with these arguments; a trial is counted for the command `run`
    only.
    """
    places, chosen_slot, counting = Places.from_environment(), None, arguments[:1] == ["run"]
    try:
        chosen_slot = None if places is None else choose(places, counting=counting)
    except Exception as fault:  # whatever is wrong with the slots, the clock starts
        print(f"launcher: {type(fault).__name__}: {fault}", file=sys.stderr)  # noqa: T201
    package = _PACKAGE if places is None else str(places.package)
    if places is not None and chosen_slot is not None:
        slot, folder = chosen_slot
        os.environ["STEMPELWERK_SLOT"] = slot
        trial = read(places.record).get("trial")
        if counting and trial and trial["id"] == slot:
            # The alarm outlives exec, and ends a version that hangs or never reports that it works.
            signal.alarm(trial_seconds())
        os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", _PROGRAM, str(folder), *arguments])  # noqa: S606
    program = f"{package}/bin/stempelwerk-edge"
    os.execv(program, [program, *arguments])  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
