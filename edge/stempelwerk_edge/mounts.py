"""Mounts: the durability of a folder, by the kernel's mountinfo (proc(5)).

A tmpfs, a ramfs, a compressed disk in memory, and an overlay that writes to one of them forget everything at a loss of
power. A sync succeeds there nevertheless, so a clock keeps no stamps on such a folder.
"""

import errno
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage.journal import connect_exclusively

MOUNTINFO = Path("/proc/self/mountinfo")
_IN_MEMORY = {"tmpfs", "ramfs", "rootfs", "devtmpfs"}
_SHARES = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs", "fuse.rclone"}
_MEMORY_DISKS = re.compile(r"/dev/(zram|ram)\d")


class Durability(StrEnum):
    """The effect of a power loss on files. UNKNOWN: the upper layer of an overlay cannot be seen."""

    LASTING = "lasting"
    FORGETFUL = "forgetful"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Mount:
    """One line of mountinfo: `parent` is the number of the mount that it lies on, `kind` its type of file system."""

    number: int
    parent: int
    point: str
    kind: str
    source: str
    upper: str | None

    def holds(self, path: str) -> bool:
        """Returns whether the path lies at or below the mount's point."""
        return path == self.point or path.startswith(self.point.rstrip("/") + "/")


@dataclass(frozen=True, slots=True)
class Storage:
    """The file system of a folder, and whether its files survive a loss of power."""

    durability: Durability
    kind: str
    point: str

    @property
    def is_share(self) -> bool:
        """Returns whether the folder is a share of another machine, out of reach without a network."""
        return self.kind in _SHARES


def connect_lasting(path: Path) -> Database:
    """Opens a database of the clock, exclusively for this connection.

    Raises OSError (EROFS) on a folder that forgets everything at a loss of power: the journal then fails as on a dead
    disk.
    """
    storage = storage_of(path.parent)
    if storage.durability is Durability.FORGETFUL:
        why = f"{storage.kind} on {storage.point} forgets everything when the power is lost"
        raise OSError(errno.EROFS, why, str(path))
    return connect_exclusively(path)


def storage_of(folder: Path) -> Storage:
    """Returns the storage below a folder, which need not exist yet; LASTING without mountinfo."""
    try:
        mountinfo = MOUNTINFO.read_text("utf-8", "surrogateescape")
    except OSError:
        mountinfo = ""
    return judge(mountinfo, str(folder.resolve()))


def judge(mountinfo: str, path: str) -> Storage:
    """Returns the storage of an absolute path without links. Pure."""
    mounts = [mount for line in mountinfo.splitlines() if (mount := _parse(line)) is not None]
    mount = _mount_of(mounts, path)
    if mount is None:
        return Storage(Durability.LASTING, "", "/")
    return Storage(_durability(mounts, mount, frozenset()), mount.kind, mount.point)


def _durability(mounts: list[Mount], mount: Mount, overlays: frozenset[int]) -> Durability:
    if mount.kind in _IN_MEMORY or _MEMORY_DISKS.match(mount.source):
        return Durability.FORGETFUL
    if mount.upper is None:
        return Durability.LASTING
    below = _mount_of(mounts, mount.upper)
    visited = overlays | {mount.number}
    if below is None or below.number in visited:
        return Durability.UNKNOWN
    return _durability(mounts, below, visited)


def _mount_of(mounts: list[Mount], path: str) -> Mount | None:
    """Returns the mount that holds the path. Walks down from the root as the kernel does: the mount nearest to the root
    hides what lies below its point.
    """
    numbers = {mount.number for mount in mounts}
    roots = [mount for mount in mounts if mount.point == "/" and mount.parent not in numbers - {mount.number}]
    current = roots[-1] if roots else None
    passed: set[int] = set()
    while current is not None:
        passed.add(current.number)
        children = [
            mount
            for mount in mounts
            if mount.parent == current.number and mount.number not in passed and mount.holds(path)
        ]
        if not children:
            return current
        current = min(children, key=lambda mount: len(mount.point))
    return None


def _parse(line: str) -> Mount | None:
    """Parses `number parent device root point options [tags] - kind source super-options`; returns None for another
    line.
    """
    mount_part, _, beyond = line.partition(" - ")
    fields, described = mount_part.split(" "), beyond.split(" ")
    try:
        number, parent, point = int(fields[0]), int(fields[1]), _decoded(fields[4])
        kind, source, options = described[0], _decoded(described[1]), described[2]
    except (ValueError, IndexError):
        return None
    uppers = [option.removeprefix("upperdir=") for option in options.split(",") if option.startswith("upperdir=")]
    upper = _decoded(uppers[0]) if kind == "overlay" and uppers else None
    return Mount(number, parent, point, kind, source, upper)


def _decoded(text: str) -> str:
    """Decodes a path of mountinfo, which has spaces and the like as octal escapes such as `\\040`."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
