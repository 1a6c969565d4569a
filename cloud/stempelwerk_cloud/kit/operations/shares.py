"""Finds network shares below an embedded database, by the type of the file system.

SQLite relies on the kernel's locks and syncs, which mean little over a network: two machines may write at once, and
acknowledged data may be lost.
"""

from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")
SHARES = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "ncpfs", "gfs2", "ocfs2"),
        *("fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs", "fuse.smbnetfs"),
    }
)


class NetworkShare(Exception):
    """A new database would be on a network share. The message is one line for the operator."""


def type_of(file: Path) -> str | None:
    """Returns the type of the share that holds a file, also a future one; None if it is on no share, or unknown."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    folder = file.resolve().parent
    systems: dict[Path, str] = {}
    for line in lines:
        mount, _, system = line.partition(" - ")
        if system and folder.is_relative_to(mount_point := Path(_unescaped(mount.split()[4]))):
            systems[mount_point] = system.split()[0]
    nearest = systems[max(systems, key=lambda mount_point: len(mount_point.parts))] if systems else None
    return nearest if nearest in SHARES else None


def refuse_new(file: Path) -> None:
    """Raises NetworkShare for a new database on a share. An existing one is accepted, but reported as a fault."""
    system = None if file.exists() else type_of(file)
    if system is not None:
        raise NetworkShare(
            f"STEMPELWERK_DATABASE_URL: {file.absolute()} lies on a network share ({system}), where SQLite loses data:"
            " name a file on a disk of this machine, or PostgreSQL."
        )


def _unescaped(text: str) -> str:
    """Decodes the octal escapes of space, tab, newline and backslash (proc(5))."""
    for octal, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(octal, sign)
    return text
