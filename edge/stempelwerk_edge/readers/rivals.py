"""Rivals: programs of other packages that take serial readers to themselves, and whether one of them runs.

The unit hides other users' processes from the clock's, so systemd's list of running units is read as well.
"""

from dataclasses import dataclass
from pathlib import Path

PROC, UNITS = Path("/proc"), Path("/run/systemd/units")


@dataclass(frozen=True, slots=True)
class Rival:
    """A program: its name as a process, its unit, and what it takes a reader's line for (German)."""

    name: str
    unit: str
    takes_them_for: str


_KNOWN = (
    Rival("brltty", "brltty.service", "Braillezeilen"),
    Rival("ModemManager", "ModemManager.service", "Modems"),
)


def rivals() -> list[Rival]:
    """Returns the programs of the list that run now."""
    processes = {_name(path) for path in PROC.glob("[0-9]*/comm")}
    return [rival for rival in _KNOWN if rival.name in processes or (UNITS / f"invocation:{rival.unit}").is_symlink()]


def _name(comm: Path) -> str:
    try:
        return comm.read_text("utf-8", "replace").strip()
    except OSError:
        return ""  # it has just ended
