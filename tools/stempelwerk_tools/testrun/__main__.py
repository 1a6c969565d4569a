"""Runs every suite of every part, looks a second time at the few that failed, and adds up.

Each suite is a command that leaves a JUnit report, or (the firmware) closes with `N passed, N failed`. Lanes of them
run beside each other. It starts no service itself: the suites do. A suite that breaks off, that runs no test, or that
leaves a process behind counts as one failure.

The second look: if at most three tests failed, each runs alone, twice, when all else has ended. What is green both
times stands as `FLAKY: test, why` in the closing lines, and the run is green: whoever sees it writes it into
`docs/flaky.md`. What cannot fail by chance, and what is there to find a rare race, gets none (`suites.py`).

It prints the dearest files, what the processors did for each suite with all that it started, and for a fixed loop, by
which machines compare; then, where a cut-off record still shows it, what failed and why. The last line is `N passed,
N failed`, with `, N skipped` behind it where tests were skipped.

`python -m stempelwerk_tools.testrun [--shaken SEED] [--reports FOLDER] [SUITE …]`: some suites only; with random ones
of their processes stopped for up to two seconds again and again; and what the suites said and reported kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stempelwerk_tools.testrun.reports import Case, Counts, cases_in, counted
from stempelwerk_tools.testrun.suites import LANES, ROOT, Command, Suite, may_have_been_chance

MOST_LOOKED_AT_AGAIN = 3
_LOOKS = 2
_CLOSING_LINE = re.compile(r"(\d+) passed, (\d+) failed")
_FAILED_BESIDE = re.compile(r"not a part of any test|unhandled error")
"""How Playwright and vitest say that something failed which is no test; their exit status is the same."""
_LINES_OF_A_FAILURE = 40
_DEAREST = 10
_print_lock = threading.Lock()


@dataclass(frozen=True)
class Ran:
    """What a suite came to. `processor_s` is of all its processes; `broken` says what went wrong beside its tests."""

    suite: Suite
    cases: Sequence[Case]
    other: Counts
    processor_s: float
    broken: str | None

    @property
    def counts(self) -> Counts:
        """Its tests, and one failure more if it broke."""
        return counted(self.cases) + self.other + Counts(failed=self.broken is not None)

    @property
    def failed(self) -> list[Case]:
        """Each with what is said of it."""
        return [case for case in self.cases if case.why is not None]


def main(arguments: list[str], lanes: Sequence[Sequence[Suite]] = LANES) -> int:
    """Run the suites that are named (all without any); exit status 1 if a test failed."""
    asked = _parser(lanes).parse_args(arguments)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="stempelwerk-test-") as scratch, ThreadPoolExecutor(len(lanes)) as pool:
        reports: Path = asked.reports or Path(scratch)
        reports.mkdir(parents=True, exist_ok=True)

        def run_lane(lane: Sequence[Suite]) -> list[Ran]:
            wanted = [suite for suite in lane if not asked.suites or suite.name in asked.suites]
            return [_run(suite, suite.command, reports, asked.shaken) for suite in wanted]

        ran = [each for lane in pool.map(run_lane, lanes) for each in lane]
        flaky = _second_look(ran, reports)
    _print_prices(ran)
    for each in ran:
        _print_failures(each, flaky)
    for case in flaky:
        print(f"FLAKY: {case.title}, {_reason(case)}")
    total = sum((each.counts for each in ran), Counts(len(flaky), -len(flaky)))
    print(f"in {time.monotonic() - started:.0f} s")
    print(total)
    return 1 if total.failed or not total.passed else 0


def _parser(lanes: Sequence[Sequence[Suite]]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="testrun", description="Runs the tests of every part.")
    parser.add_argument("--shaken", default="-", metavar="SEED", help="stop random processes again and again")
    parser.add_argument("--reports", type=Path, metavar="FOLDER", help="keep what the suites say and report here")
    names = [suite.name for lane in lanes for suite in lane]
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=", ".join(names), choices=[*names, []])
    return parser


def _run(suite: Suite, command: Command, reports: Path, shaken: str = "-") -> Ran:
    """Run a command of a suite, print how it ended, and read what it has left."""
    report, figures, said = (reports / f"{suite.name}.{kind}" for kind in ("xml", "json", "txt"))
    report.unlink(missing_ok=True)

    def fill(text: str) -> str:
        return text.replace("{report}", str(report))

    whole = (sys.executable, "-m", "stempelwerk_tools.testrun.whole", str(figures), shaken)
    started = time.monotonic()
    with said.open("wb") as written:
        done = subprocess.run(
            [*whole, *map(fill, command)],
            cwd=ROOT / suite.folder,
            env=os.environ | {name: fill(value) for name, value in suite.environment},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            check=False,
        )
    output = said.read_text(errors="replace")
    used: dict[str, Any] = json.loads(figures.read_text())
    cases = cases_in(report)
    other = Counts() if cases else _from_output(output)
    counts = counted(cases) + other
    broken = None
    if used["left"]:
        broken = "left behind:\n" + "\n".join(used["left"])
    elif (
        # Every runner ends with 1 if tests failed, and with something else if that was not all.
        done.returncode != int(counts.failed > 0)
        or not (counts.passed or counts.failed)
        or _FAILED_BESIDE.search(output)
    ):
        broken = output
    ran = Ran(suite, cases, other, used["processor_s"], broken)
    with _print_lock:
        took = f"({time.monotonic() - started:.0f} s, {ran.processor_s:.0f} s of a processor)"
        print(f"=== {suite.name}: {ran.counts} {took}")
        print(output if ran.counts.failed else "\n".join(output.rstrip().splitlines()[-3:]), flush=True)
    return ran


def _second_look(ran: Sequence[Ran], reports: Path) -> list[Case]:
    """Those of the few that failed which pass alone, each time."""
    failed = [(each.suite, case) for each in ran for case in each.failed]
    if len(failed) > MOST_LOOKED_AT_AGAIN:
        return []
    return [case for suite, case in failed if may_have_been_chance(case) and _passes_alone(suite, case, reports)]


def _passes_alone(suite: Suite, case: Case, reports: Path) -> bool:
    if suite.again is None:
        return False
    again = reports / "again"
    again.mkdir(exist_ok=True)
    looks = (_run(suite, suite.again(case), again).counts for _ in range(_LOOKS))
    return all(look.passed and not look.failed for look in looks)


def _print_failures(ran: Ran, flaky: list[Case]) -> None:
    said = [(case.title, case.why or "") for case in ran.failed if case not in flaky]
    said += [(ran.suite.name, ran.broken)] if ran.broken else []
    for what, why in said:
        print(f"failed: {what}", *why.strip().splitlines()[-_LINES_OF_A_FAILURE:], sep="\n    ")


def _print_prices(ran: Sequence[Ran]) -> None:
    prices: dict[str, float] = defaultdict(float)
    for each in ran:
        waited = sum(case.seconds for case in each.cases) or 1
        for case in each.cases:
            prices[case.place] += each.processor_s * case.seconds / waited
    print("the dearest files, by their share of their suite's time:")
    for place in sorted(prices, key=prices.__getitem__, reverse=True)[:_DEAREST]:
        print(f"{prices[place]:7.1f} s of a processor  {place}")
    for each in ran:
        print(f"{each.processor_s:7.0f} s of a processor  {each.suite.name}")
    print(f"{sum(each.processor_s for each in ran):7.0f} s of a processor in all; {_loop():.2f} for a fixed loop")


def _loop() -> float:
    """Seconds of a processor for the same work on every machine."""
    before, data = time.process_time(), b""
    for _ in range(1_000_000):
        data = hashlib.sha256(data).digest()
    return time.process_time() - before


def _reason(case: Case) -> str:
    """The line in which a runner names the error, else the first one."""
    lines = [line.strip().removeprefix("E ").strip() for line in (case.why or "").splitlines() if line.strip()]
    return next((line for line in lines if re.match(r"\w*(Error|Exception|Failed)\b", line)), lines[0] if lines else "")


def _from_output(output: str) -> Counts:
    found = _CLOSING_LINE.findall(output)
    return Counts(int(found[-1][0]), int(found[-1][1])) if found else Counts()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
