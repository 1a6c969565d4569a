"""Runs every suite of every part, reruns the few failures, and adds up.

Each suite is a command that leaves a JUnit report, or (the firmware) closes with `N passed, N failed`. Lanes of suites
run in parallel. It starts no service itself: the suites do. A suite that breaks off, that runs no test, or that leaves
a process running counts as one failure.

The second look: if at most three tests failed, each runs twice in isolation, after everything else. A test that passes
both times appears as `FLAKY: test, why` in the closing lines, and the run is green: enter it into `docs/flaky.md`.
Tests that cannot fail by chance, and tests that look for a rare race, get no second look (`suites.py`).

It prints the most expensive files, the processor time of each suite with all its processes, and of a fixed loop, for
comparing machines; then, so that a truncated record still shows it, the failures and their reasons. The last line is `N
passed, N failed`, followed by `, N skipped` if tests were skipped.

`python -m stempelwerk_tools.testrun [--shaken SEED] [--reports FOLDER] [SUITE …]`: runs some suites only; stops random
processes of them for up to two seconds again and again; keeps the output and the reports of the suites.
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

from stempelwerk_tools.testrun.reports import Case, Counts, cases_in, count_cases
from stempelwerk_tools.testrun.suites import LANES, ROOT, Command, Suite, may_have_been_chance

MOST_LOOKED_AT_AGAIN = 3
_LOOKS = 2
_CLOSING_LINE = re.compile(r"(\d+) passed, (\d+) failed")
_FAILED_BESIDE = re.compile(r"not a part of any test|unhandled error")
"""The message of Playwright and vitest for a failure outside of tests; their exit status is the same."""
_LINES_OF_A_FAILURE = 40
_DEAREST = 10
_print_lock = threading.Lock()


@dataclass(frozen=True)
class SuiteRun:
    """The result of a suite. `processor_s` is of all its processes; `broken` describes a failure outside its tests."""

    suite: Suite
    cases: Sequence[Case]
    printed_counts: Counts
    processor_s: float
    broken: str | None

    @property
    def counts(self) -> Counts:
        """The counts of its tests, and one more failure if it broke."""
        return count_cases(self.cases) + self.printed_counts + Counts(failed=self.broken is not None)

    @property
    def failed(self) -> list[Case]:
        """The failed tests, with their messages."""
        return [case for case in self.cases if case.why is not None]


def main(arguments: list[str], lanes: Sequence[Sequence[Suite]] = LANES) -> int:
    """Runs the named suites (without any: all); exit status 1 if a test failed."""
    options = _parser(lanes).parse_args(arguments)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="stempelwerk-test-") as scratch, ThreadPoolExecutor(len(lanes)) as pool:
        reports: Path = options.reports or Path(scratch)
        reports.mkdir(parents=True, exist_ok=True)

        def run_lane(lane: Sequence[Suite]) -> list[SuiteRun]:
            selected = [suite for suite in lane if not options.suites or suite.name in options.suites]
            return [_run(suite, suite.command, reports, options.shaken) for suite in selected]

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


def _run(suite: Suite, command: Command, reports: Path, shaken: str = "-") -> SuiteRun:
    """Runs a command of a suite, prints its result, and reads its report."""
    report, figures, output_file = (reports / f"{suite.name}.{kind}" for kind in ("xml", "json", "txt"))
    report.unlink(missing_ok=True)

    def fill(text: str) -> str:
        return text.replace("{report}", str(report))

    wrapper = (sys.executable, "-m", "stempelwerk_tools.testrun.whole", str(figures), shaken)
    started = time.monotonic()
    with output_file.open("wb") as output_stream:
        done = subprocess.run(
            [*wrapper, *map(fill, command)],
            cwd=ROOT / suite.folder,
            env=os.environ | {name: fill(value) for name, value in suite.environment},
            stdin=subprocess.DEVNULL,
            stdout=output_stream,
            stderr=subprocess.STDOUT,
            check=False,
        )
    output = output_file.read_text(errors="replace")
    used: dict[str, Any] = json.loads(figures.read_text())
    cases = cases_in(report)
    printed_counts = Counts() if cases else _from_output(output)
    counts = count_cases(cases) + printed_counts
    broken = None
    if used["left"]:
        broken = "left behind:\n" + "\n".join(used["left"])
    elif (
        # Every runner ends with 1 if tests failed, and with something else after other errors.
        done.returncode != int(counts.failed > 0)
        or not (counts.passed or counts.failed)
        or _FAILED_BESIDE.search(output)
    ):
        broken = output
    ran = SuiteRun(suite, cases, printed_counts, used["processor_s"], broken)
    with _print_lock:
        took = f"({time.monotonic() - started:.0f} s, {ran.processor_s:.0f} s of a processor)"
        print(f"=== {suite.name}: {ran.counts} {took}")
        print(output if ran.counts.failed else "\n".join(output.rstrip().splitlines()[-3:]), flush=True)
    return ran


def _second_look(ran: Sequence[SuiteRun], reports: Path) -> list[Case]:
    """Returns the failed tests that pass in isolation each time, if only a few failed."""
    failed = [(each.suite, case) for each in ran for case in each.failed]
    if len(failed) > MOST_LOOKED_AT_AGAIN:
        return []
    return [case for suite, case in failed if may_have_been_chance(case) and _passes_alone(suite, case, reports)]


def _passes_alone(suite: Suite, case: Case, reports: Path) -> bool:
    if suite.rerun is None:
        return False
    rerun_folder = reports / "again"
    rerun_folder.mkdir(exist_ok=True)
    looks = (_run(suite, suite.rerun(case), rerun_folder).counts for _ in range(_LOOKS))
    return all(look.passed and not look.failed for look in looks)


def _print_failures(ran: SuiteRun, flaky: list[Case]) -> None:
    failures = [(case.title, case.why or "") for case in ran.failed if case not in flaky]
    failures += [(ran.suite.name, ran.broken)] if ran.broken else []
    for title, why in failures:
        print(f"failed: {title}", *why.strip().splitlines()[-_LINES_OF_A_FAILURE:], sep="\n    ")


def _print_prices(ran: Sequence[SuiteRun]) -> None:
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
    """Returns the processor seconds of a fixed loop, for comparing machines."""
    started_s, data = time.process_time(), b""
    for _ in range(1_000_000):
        data = hashlib.sha256(data).digest()
    return time.process_time() - started_s


def _reason(case: Case) -> str:
    """Returns the line of a failure's message that names the error, or else its first line."""
    lines = [line.strip().removeprefix("E ").strip() for line in (case.why or "").splitlines() if line.strip()]
    return next((line for line in lines if re.match(r"\w*(Error|Exception|Failed)\b", line)), lines[0] if lines else "")


def _from_output(output: str) -> Counts:
    matches = _CLOSING_LINE.findall(output)
    return Counts(int(matches[-1][0]), int(matches[-1][1])) if matches else Counts()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
