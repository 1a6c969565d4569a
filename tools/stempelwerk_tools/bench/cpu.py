"""The processor time that programs have used: other load on the machine disturbs it less than it disturbs elapsed
time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine, text

from stempelwerk_tools.process_tree import process_tree

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_BACKENDS = text("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")


@dataclass(frozen=True)
class Cpu:
    """Processor seconds, in user and system mode together. `database` is None if the database runs inside the
    service.
    """

    service: float
    database: float | None

    @property
    def total(self) -> float:
        """The seconds of the service and the database together."""
        return self.service + (self.database or 0)

    def used_since(self, earlier: Cpu) -> Cpu:
        """Returns the time used since the earlier reading."""
        apart = None if self.database is None or earlier.database is None else self.database - earlier.database
        return Cpu(self.service - earlier.service, apart)


def used(pid: int, database: Engine | None, *, ended: bool = False) -> Cpu:
    """Returns the processor time of a server with all its processes, and of its database's connections (None if the
    database runs inside the server).

    `ended`: whether to include processes that have ended.
    """
    service = _seconds(process_tree(pid), ended=ended)
    if database is None or database.dialect.name != "postgresql":
        return Cpu(service, None)
    with database.connect() as connection:
        backends = connection.execute(_BACKENDS).scalars().all()
    return Cpu(service, _seconds(backends))


@contextmanager
def growth(pid: int) -> Iterator[Callable[[], float]]:
    """Yields a function that returns by how many MiB the process's peak memory within the block exceeds its memory at
    the start.
    """
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # its highest is the present from now on
    start_kib = _memory_kib(pid, "VmRSS")
    yield lambda: (_memory_kib(pid, "VmHWM") - start_kib) / 1024


def _memory_kib(pid: int, field_name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field_name}:"))


def _seconds(pids: Iterable[int], *, ended: bool = False) -> float:
    return sum(_ticks(pid, ended=ended) for pid in pids) * _TICK_S


def _ticks(pid: int, *, ended: bool) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:  # it has just ended: what it did was before the slice
        return 0
    return sum(map(int, fields[11 : 15 if ended else 13]))  # utime, stime, and those of children that were waited for
