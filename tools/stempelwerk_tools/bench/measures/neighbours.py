"""Waiting times of another company while one person or one company makes as many requests as it can.

On each database, a large company attacks (`attacks`) and a small one works: an employee opens pages, a clock delivers
stamps one by one. The small company is measured without and during each attack by turns. The medians of one run are
compared.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.work import unit_of_work

from stempelwerk_tools.bench.cpu import used
from stempelwerk_tools.bench.crowd import Firm, Size
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on, table
from stempelwerk_tools.bench.measures.attacks import ATTACKS, CROWD, SESSIONS, Camp, prepared
from stempelwerk_tools.bench.measures.size import Filled, filled
from stempelwerk_tools.bench.sides.flood import flood
from stempelwerk_tools.bench.sides.load import Answer, request, run
from stempelwerk_tools.bench.sides.side import Void

_MILLI = 1_000
_CALLS = 40
"""Calls of a slice. All readers together stay below what a person may ask for in a minute."""
_READ = timedelta(days=31)
_SETTLE_S = 2.0
_PATIENCE_S = 60.0
_LOOK_EVERY_S = 0.5
_IDLE = 0.1
"""Share of a processor below which a service counts as idle."""
GOALS = {"call": 3.0, "stamp": 1.5}


class Waited(NamedTuple):
    """Seconds that the small company waited for each of its calls and stamps."""

    call: list[float]
    stamp: list[float]

    def __add__(self, other: object) -> Waited:
        assert isinstance(other, Waited)
        return Waited(self.call + other.call, self.stamp + other.stamp)


def measure(field: Field, size: Size, rounds: int) -> tuple[list[Finding], str]:
    """Returns the findings and a table of all attacks. Raises Void."""
    waits: dict[str, dict[str, tuple[Waited, Waited]]] = {}
    findings: list[Finding] = []
    for name in ("PostgreSQL", "SQLite"):
        data = field.folder / f"neighbours-{name}"
        url = field.postgres.new_database() if name == "PostgreSQL" else f"sqlite:///{data / 'size.db'}"
        with filled(field, url, data, size) as server:
            camp, victim = _opened(url, data, server)
            _Worker(server, victim).waited(_CALLS)  # warms up: the first calls fill the caches
            waits[name] = {}
            for attack in ATTACKS:
                waits[name][attack] = _compared(server, victim, camp, attack, rounds)
                field.say(f"{name}, {attack}: {_format_waits(waits[name][attack])}")
            findings += on(server.ground, _findings(name, waits[name]))
    return findings, _table(waits)


def _findings(name: str, attacks: dict[str, tuple[Waited, Waited]]) -> list[Finding]:
    return [
        Finding(f"{name}: another company's {kind} during {attack}, p50", at_most(limit), ratio(pair, kind))
        for attack, pair in attacks.items()
        for kind, limit in GOALS.items()
    ]


def _opened(url: str, data: object, server: Filled) -> tuple[Camp, tuple[Firm, list[str]]]:
    """Opens sessions of the attacking company's people, and of the small company's people; returns both."""
    large, small = server.crowd.firms[:2]
    platform = build_platform(Settings(database_url=url, data_dir=data))
    try:
        with unit_of_work(platform, SYSTEM) as work:
            tokens = {
                user_id: [open_session(work, large.company_id, user_id, "attack") for _ in range(SESSIONS)]
                for user_id in large.user_ids[: CROWD + 1]
            }
            victim_tokens = [open_session(work, small.company_id, user_id, "bench") for user_id in small.user_ids]
    finally:
        platform.database.dispose()
    return Camp(server.port, large.company_id, tokens), (small, victim_tokens)


class _Worker:
    """The small company at work: makes its calls and delivers its stamps, and measures the waits."""

    def __init__(self, server: Filled, victim: tuple[Firm, list[str]]) -> None:
        self._port = server.port
        self._firm, self._tokens = victim
        self._since = f"{datetime.now(UTC) - _READ:%Y-%m-%d}"

    def waited(self, count: int) -> Waited:
        """Opens `count` pages and delivers `count` stamps, one after the other; returns the waits. Raises Void."""
        clock = self._firm.clocks[0]
        calls, stamps = [], []
        for turn in range(count):
            place = turn % len(self._tokens)
            user_id, token = self._firm.user_ids[place], self._tokens[place]
            path = f"/api/users/{user_id}/times?from={self._since}"
            calls.append(request("GET", path, headers={"Authorization": f"Bearer {token}"}))
            body = clock.batch_of([(self._firm.tags[place], datetime.now(UTC))])
            stamps.append(clock.signed("POST", "/api/devices/stamps", body))
        answers = run(self._port, [calls, stamps]).answers
        return Waited(*(_seconds(each) for each in answers))


def _seconds(answers: Sequence[Answer]) -> list[float]:
    if wrong := [answer for answer in answers if answer.status != 200]:
        raise Void(f"the small company was answered {wrong[0].status}: {wrong[0].body[:200]!r}")
    return [answer.seconds for answer in answers]


def _compared(
    server: Filled, victim: tuple[Firm, list[str]], camp: Camp, attack: str, rounds: int
) -> tuple[Waited, Waited]:
    """Returns the waits of the small company without the attack and during it."""
    worker = _Worker(server, victim)
    alone = beside = Waited([], [])
    lanes = prepared(ATTACKS[attack], camp)
    for _ in range(rounds):
        _settle(server)
        alone += worker.waited(_CALLS)
        with flood(server.port, lanes):
            time.sleep(_SETTLE_S)
            beside += worker.waited(_CALLS)
    return alone, beside


def _settle(server: Filled) -> None:
    """Waits until the service has finished the attack's remaining work; gives up after a minute."""
    deadline = time.monotonic() + _PATIENCE_S
    previous = used(server.pid, server.engine).total
    while time.monotonic() < deadline:
        time.sleep(_LOOK_EVERY_S)
        now = used(server.pid, server.engine).total
        if now - previous < _IDLE * _LOOK_EVERY_S:
            return
        previous = now


def ratio(pair: tuple[Waited, Waited], kind: str) -> float:
    """Divides the median during the attack by the median without it."""
    alone, beside = (float(statistics.median(getattr(waited, kind))) for waited in pair)
    return beside / alone


def _format_waits(pair: tuple[Waited, Waited]) -> str:
    parts = []
    for kind in GOALS:
        alone, beside = (statistics.median(getattr(waited, kind)) * _MILLI for waited in pair)
        parts.append(f"{kind} {alone:.1f} → {beside:.1f} ({beside / alone:.1f} ×)")
    return ", ".join(parts)


def _table(waits: dict[str, dict[str, tuple[Waited, Waited]]]) -> str:
    cells = [(attack, *(_format_waits(attacks[attack]) for attacks in waits.values())) for attack in ATTACKS]
    return table([("ms at the median: alone → during it", *waits), *cells])
