"""`stempelwerk bench`: measure the product next to its limit, report which goals are met, write var/bench.json.

Nothing here is a test: the numbers belong to this machine and this hour. Exit status 0 if every goal that could be
measured is met, 1 if one is missed, 3 if a guard found the numbers void.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from stempelwerk_tools.bench import figures, ground
from stempelwerk_tools.bench.crowd import SIZES, SMALL, TINY, Size
from stempelwerk_tools.bench.field import Field, open_field
from stempelwerk_tools.bench.goals import Finding, goals_table, on
from stempelwerk_tools.bench.measures import (
    heartbeats,
    live,
    neighbours,
    office,
    offices_calls,
    offices_files,
    offices_pages,
    open_pages,
    presses,
    rates,
    size,
    start,
    visits,
    years,
)
from stempelwerk_tools.bench.sides.side import Void

OFFICE = office.size_of(people=200, days=220)
NEIGHBOURS = office.size_of(people=100, days=120)


@dataclass(frozen=True)
class Effort:
    """The extent of a run: the number of rounds, the seconds of a slice, the taps, the repetitions of each reading
    call, the beats of the event streams for which open pages are watched, and the sizes of the installations.
    """

    rounds: int
    seconds: float
    taps: int
    readings: int
    beats: int
    size: Size = SMALL
    office: Size = OFFICE
    neighbours: Size = NEIGHBOURS


WHOLE = Effort(rounds=5, seconds=1.5, taps=15, readings=60, beats=3)
QUICK = Effort(
    rounds=1,
    seconds=0.4,
    taps=3,
    readings=10,
    beats=1,
    size=TINY,
    office=office.size_of(people=20, days=40),
    neighbours=office.size_of(people=40, days=20),
)


@dataclass
class Report:
    """The content of var/bench.json, with findings by part."""

    findings: dict[str, list[Finding]] = field(default_factory=dict)
    loads: list[dict[str, object]] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    void: dict[str, str] = field(default_factory=dict)

    @property
    def all_findings(self) -> list[Finding]:
        """The findings of all parts."""
        return [finding for part_findings in self.findings.values() for finding in part_findings]


def _rates(of: Field, effort: Effort, report: Report) -> list[Finding]:
    all_turns = rates.measure(of, effort.rounds, effort.seconds)
    report.loads = rates.as_json(all_turns)
    report.tables += [rates.rates_table(all_turns), rates.cpu_table(all_turns)]
    return on(ground.count_rows(of.product()[1].database_url), rates.findings(all_turns))


def _size(of: Field, effort: Effort, report: Report) -> list[Finding]:
    findings, lines = size.measure(of, effort.size, effort.readings)
    report.tables.append(lines)
    return findings


def _years(of: Field, effort: Effort, report: Report) -> list[Finding]:
    findings, lines = years.measure(of, effort.size.large, effort.readings)
    report.tables.append(lines)
    return findings


def _visits(of: Field, effort: Effort, report: Report) -> list[Finding]:
    findings, lines = visits.measure(of, effort.size, effort.rounds)
    report.tables += [lines] if lines else []
    return findings


def _calls(of: Field, effort: Effort, report: Report) -> list[Finding]:
    findings, lines = offices_calls.measure(of, office.office(of, effort.office), effort.readings)
    report.tables.append(lines)
    return findings


def _neighbours(of: Field, effort: Effort, report: Report) -> list[Finding]:
    findings, lines = neighbours.measure(of, effort.neighbours, effort.rounds)
    report.tables.append(lines)
    return findings


Part = Callable[[Field, Effort, Report], list[Finding]]
PARTS: dict[str, Part] = {
    "rates": _rates,
    "live": lambda of, effort, _: live.measure(of, effort.taps),
    "presses": lambda of, effort, _: presses.measure(of, effort.rounds),
    "open_pages": lambda of, effort, _: open_pages.measure(of, effort.beats),
    "heartbeats": lambda of, effort, _: heartbeats.measure(of, effort.rounds, effort.seconds),
    "start": lambda of, effort, _: start.measure(of, effort.rounds),
    "size": _size,
    "years": _years,
    "visits": _visits,
    "calls": _calls,
    "pages": lambda of, effort, _: offices_pages.measure(of, office.office(of, effort.office), effort.rounds),
    "neighbours": _neighbours,
    "files": lambda of, effort, _: offices_files.measure(of, office.office(of, effort.office), effort.rounds),
}


def measure(of: Field, names: Sequence[str], effort: Effort, report: Report) -> None:
    """Fills the report with these parts. A part that a guard finds void, or whose server fails, is recorded by name;
    the others are still measured.
    """
    for name in names:
        of.say(f"── {name}")
        try:
            findings = PARTS[name](of, effort, report)
            if groundless := [finding.goal for finding in findings if finding.value is not None and not finding.ground]:
                raise Void(f"these figures do not say what they were measured on: {groundless}")
            report.findings[name] = findings
        except (RuntimeError, OSError, SQLAlchemyError, psycopg.Error) as reason:
            report.void[name] = str(reason)
            of.say(f"VOID: {reason}")


def main(argv: Sequence[str]) -> int:
    """Runs the command: measures the requested parts; returns the exit status."""
    parser = argparse.ArgumentParser(prog="stempelwerk bench", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one short round of each: shows that all works, no more")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="these parts")
    parser.add_argument("--docs", action="store_true", help="write the figures into docs/guides/figures.md too")
    default = Path(os.environ.get("STEMPELWERK_DATA_DIR", "var"))
    parser.add_argument("--dir", type=Path, default=default, help="where bench.json is put (var)")
    parser.add_argument("--size", choices=SIZES, help="of the installation of which all is read (small)")
    options = parser.parse_args(argv)
    if options.docs and options.quick:
        parser.error("--docs needs whole figures, and --quick makes none")
    effort = QUICK if options.quick else WHOLE
    if options.size is not None:
        effort = replace(effort, size=SIZES[options.size])
    report = Report()
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"[{time.monotonic() - began:4.0f} s] {line}", file=sys.stderr, flush=True)

    with open_field(say) as of:
        measure(of, options.only, effort, report)
    for lines in report.tables:
        print(f"\n{lines}")
    if report.all_findings:
        print(f"\n{goals_table(report.all_findings)}")
    options.dir.mkdir(parents=True, exist_ok=True)
    path = options.dir / "bench.json"
    path.write_text(json.dumps(_as_json(report, options.quick), indent=1, ensure_ascii=False) + "\n", "utf-8")
    if options.docs:
        figures.write(report.findings, datetime.now(UTC).date())
    for part, reason in report.void.items():
        print(f"\nVOID: {part}: {reason}", file=sys.stderr)
    if report.void:
        return 3
    return 1 if any(finding.met is False for finding in report.all_findings) else 0


def _as_json(report: Report, quick: bool) -> dict[str, Any]:
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"system": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count()},
        "quick": quick,
        "void": report.void,
        "goals": [finding.as_json() for finding in report.all_findings],
        "loads": report.loads,
        "tables": report.tables,
    }
