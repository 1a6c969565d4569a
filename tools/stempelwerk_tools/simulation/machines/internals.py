"""The only place where the simulation touches the inside of the programs.

It replaces two things only: constants that set the pace of idle work (a simulated week of heartbeats every 30 s would
be a million requests), and the one random number that has no port, the key that a clock makes for itself. All other
decisions of the simulation come in through the programs' own ports. The rest here reads messages, and reads or garbles
cards that are not in use.
"""

from __future__ import annotations

import importlib
import json
import math
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from stempelwerk_cloud.app import JOBS
from stempelwerk_edge.cloud import identity
from stempelwerk_edge.storage.journal import FOLDER_NAME
from stempelwerk_edge.storage.salvage import FILE_NAME

from stempelwerk_tools.simulation.judging.truth import Merged
from stempelwerk_tools.simulation.machines.network import Message, Reply

UNTIRED: dict[tuple[str, str], Any] = {("stempelwerk_cloud.kit.limits.fair_semaphore", "WORK_S"): math.inf}
"""Constants that disable the pauses after work: their length depends on real time, which no replay repeats."""

_PACES: dict[tuple[str, str], Any] = {
    ("stempelwerk_edge.logbook", "_PAUSE_S"): 1200.0,
    ("stempelwerk_edge.machine.housekeeping", "_PAUSE_S"): 1200.0,
    ("stempelwerk_cloud.kit.outbox.loop", "EVERY_S"): 21_600.0,  # new and due messages wake it
    ("stempelwerk_cloud.fleet.rollouts.offers", "REFRESH_INTERVAL_S"): 21_600.0,
    ("stempelwerk_cloud.jobs", "MEASURED_EVERY"): timedelta(hours=6),
    ("stempelwerk_cloud.app", "JOBS"): tuple(job._replace(interval=timedelta(hours=6)) for job in JOBS),
    **UNTIRED,
    ("stempelwerk_cloud.device_api.beats.heartbeat", "HEARTBEAT_S"): 2400,
    ("stempelwerk_cloud.device_api.beats.heartbeat", "MAX_BATCH_ADVICE"): 5,  # so that a day offline is several batches
}


STAMPS = "/api/devices/stamps"
GARBLED = "scanner:garbled"


class _Keys:
    """Replaces the library's class where the agent makes its key: keys come from the world's seed."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def generate(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self._rng.randbytes(32))

    def from_private_bytes(self, data: bytes) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(data)


@contextmanager
def patched(values: dict[tuple[str, str], Any]) -> Iterator[None]:
    """Sets module attributes (by module and name) to these values inside the block."""
    originals = {}
    for (module, name), value in values.items():
        target = importlib.import_module(module)
        originals[module, name] = getattr(target, name)
        setattr(target, name, value)
    try:
        yield
    finally:
        for (module, name), value in originals.items():
            setattr(importlib.import_module(module), name, value)


@contextmanager
def simulated(rng: random.Random) -> Iterator[None]:
    """Runs the programs at the simulation's pace, with keys drawn from `rng`."""
    with patched({**_PACES, ("stempelwerk_edge.cloud.identity", "Ed25519PrivateKey"): _Keys(rng)}):
        yield


def read_merged(message: Message, reply: Reply, at_s: float) -> Merged:
    """Returns the batch that an answer acknowledges."""
    batch, server = json.loads(message.body), json.loads(reply.body)["serverId"]
    previous = None if batch["previous"] is None else batch["previous"]["epoch"]
    return Merged(keyid_of(message), batch["batch"], at_s, message.lineage, server, batch["epoch"], previous)


def thinks_it_lost_something(reply: Reply) -> bool:
    """Returns whether an answer to a batch requests a replay of the last days: the lease has shown a lost state."""
    return any("since" in action.get("replay", {}) for action in json.loads(reply.body)["actions"])


def keyid_of(message: Message) -> str:
    """Returns the device that signed a message."""
    headers = {name.lower(): value for name, value in message.headers}
    keyid = re.search(rb'keyid="([^"]+)"', headers.get(b"signature-input", b""))
    return keyid.group(1).decode() if keyid else ""


def keyid_on(card: Path, hardware_id: str) -> str | None:
    """Returns the keyid that a card would use in a machine; None if the program would make a new key there."""
    path = card / identity.FILE_NAME
    if not path.exists() or json.loads(path.read_text())["hardwareId"] != hardware_id:
        return None
    return identity.load_or_make(card, (hardware_id,)).keyid


def garble(card: Path) -> int:
    """Changes a member of each waiting row of an unused card, as if misread; returns their number."""
    with closing(sqlite3.connect(card / FOLDER_NAME / FILE_NAME)) as database, database:
        rows = database.execute("SELECT * FROM waiting").fetchall()
        for row in rows:
            *members, _via, shown_direction = row
            database.execute("DELETE FROM stamps WHERE row = ?", row[:1])
            values = (*members, GARBLED, shown_direction)
            database.execute(f"INSERT INTO stamps VALUES ({', '.join('?' * len(values))})", values)  # noqa: S608
        database.execute("DELETE FROM batch")
    return len(rows)


def open_batch_on(card: Path) -> str | None:
    """Returns the batch that an unused card has written down without seeing an answer."""
    return _first_on(card, "SELECT id FROM batch")


def server_on(card: Path) -> str | None:
    """Returns the server that an unused card remembers; None if it has not met one."""
    standing = _first_on(card, "SELECT value FROM meta WHERE name = 'standing'")
    return None if standing is None else json.loads(standing)["server_id"]


def server_in(database: Path) -> str | None:
    """Returns the server id of a database file's installation; None before the first request."""
    with closing(sqlite3.connect(database)) as connection:
        row = connection.execute("SELECT server_id FROM installation").fetchone()
    return None if row is None else str(row[0])


def _first_on(card: Path, sql: str) -> str | None:
    """Returns the first text of a query on a card's journal; None without a journal or a row."""
    path = card / FOLDER_NAME / FILE_NAME
    if not path.exists():
        return None
    with closing(sqlite3.connect(path)) as database:
        row = database.execute(sql).fetchone()
    return None if row is None else str(row[0])
