"""The four loads: every side takes turns at each, and the product is compared with the limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from stempelwerk_tools.bench.cpu import Cpu
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import PRODUCT, Bound, Finding, at_least, at_most, table
from stempelwerk_tools.bench.sides.side import Side, Turns, Workload, take_turns

_MICRO = 1_000_000
NEW = Workload("8 clients × 50 new", clients=8, size=50)
SINGLES = Workload("8 clients × 1 new", clients=8, size=1)
RESENT = Workload("8 clients × 500 re-sent", clients=8, size=500, resend=True)
ALONE = Workload("1 client × 1 new", clients=1, size=1)
WORKLOADS = (NEW, SINGLES, RESENT, ALONE)

LIMIT = "composed limit"
_RATES: dict[Workload, Bound] = {NEW: at_least(0.34), SINGLES: at_least(0.7), RESENT: at_least(0.7)}
_TIMES: dict[Workload, Bound] = {ALONE: at_most(2.3)}
_CPU: dict[Workload, Bound] = {ALONE: at_most(2.6)}


def durabilities(sides: Sequence[Side]) -> dict[str, str]:
    """Returns the durability of each side's commits. Raises Void if a side's commits are less durable than it
    claims.
    """
    return {side.name: side.durability() for side in sides}


def measure(field: Field, rounds: int, seconds: float) -> list[Turns]:
    """Measures all sides under all loads and returns their turns, one for each load. Raises Void."""
    sides = field.sides()
    for name, durability in durabilities(sides).items():
        field.say(f"{name}: {durability}")
    all_turns = []
    for workload in WORKLOADS:
        field.say(f"{workload.name}: {rounds} rounds of {len(sides)} slices of {seconds:g} s, and one to warm up")
        all_turns.append(take_turns(sides, workload, rounds=rounds, seconds=seconds))
    return all_turns


def findings(all_turns: Sequence[Turns]) -> list[Finding]:
    """Returns the findings: the product on PostgreSQL compared with the limit."""
    comparisons = (("rate", _RATES, Turns.rate_ratio), ("p50", _TIMES, Turns.p50_ratio), ("CPU", _CPU, Turns.cpu_ratio))
    return [
        Finding(
            f"{turns.workload.name}: {quantity} against {LIMIT}", bounds[turns.workload], ratio(turns, PRODUCT, LIMIT)
        )
        for turns in all_turns
        for quantity, bounds, ratio in comparisons
        if turns.workload in bounds
    ]


def rates_table(all_turns: Sequence[Turns]) -> str:
    """Returns a table of the stamps a second and the median answer of each side under each load."""
    head = ("stamps a second (p50 of an answer)", *(turns.workload.name for turns in all_turns))
    names = all_turns[0].slices if all_turns else ()
    return table([head, *((name, *(_cell(turns, name) for turns in all_turns)) for name in names)])


def _cell(turns: Turns, name: str) -> str:
    return f"{turns.rate(name):,.0f} ({turns.p50(name) * 1000:.2f} ms)"


def cpu_table(all_turns: Sequence[Turns]) -> str:
    """Formats the processor time of a request and of a stamp for each side, its service and its database."""
    rows = [("CPU in µs, service + database", *(turns.workload.name for turns in all_turns))]
    names = [
        name for name in (all_turns[0].slices if all_turns else ()) if all_turns[0].cpu(name, "requests") is not None
    ]
    for name in names:
        for unit in ("requests", "stamps"):
            cells = [_cpu_cell(turns.cpu(name, unit)) for turns in all_turns]
            rows.append((f"{name}, a {unit.removesuffix('s')}", *cells))
    return table(rows)


def _cpu_cell(cpu: Cpu | None) -> str:
    if cpu is None:
        return "–"
    inside = "" if cpu.database is None else f" + {cpu.database * _MICRO:,.0f}"
    return f"{cpu.service * _MICRO:,.0f}{inside}"


def as_json(all_turns: Sequence[Turns]) -> list[dict[str, object]]:
    """Returns the figures of every slice, for var/bench.json."""
    return [
        {
            "workload": turns.workload.name,
            "sides": {name: [asdict(side_slice) for side_slice in slices] for name, slices in turns.slices.items()},
        }
        for turns in all_turns
    ]
