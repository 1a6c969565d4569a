"""Runs every suite of every part and adds up what they report.

Each suite is a command that leaves a JUnit report, or (the firmware) closes with `N passed, N failed`. Suites run in
lanes beside each other, more than there are cores, for each waits now and then. The last line of the whole run is
`N passed, N failed`, with `, N skipped` behind it where tests were skipped; a suite that breaks off, or that runs no
test, counts as one failure. Before it stands what failed and why, once more, for whoever sees only the end; before that
the ten slowest tests, and for each suite how long it took and how long the processors worked for it. It starts no
service itself: the suites do.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
_CLOSING_LINE = re.compile(r"(\d+) passed, (\d+) failed")
_LINES_OF_A_FAILURE = 40
_print_lock = threading.Lock()


@dataclass(frozen=True)
class Counts:
    """Tests of one suite."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        tail = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{tail}"


@dataclass(frozen=True)
class Ran:
    """What a suite came to: of each failure its name, and what was said of it."""

    counts: Counts
    failures: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Suite:
    """`command` runs in `folder`; `{report}` in it or in `environment` stands for the JUnit report to be written."""

    name: str
    folder: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()


def _pytest(name: str, path: str, workers: int) -> Suite:
    """More workers than there are cores to spare, for tests that wait more than they work."""
    spread = ("-n", str(workers), "--dist", "worksteal")
    return Suite(name, ".", (sys.executable, "-m", "pytest", "-q", *spread, "--junitxml={report}", path))


def _browser(name: str, folder: str) -> Suite:
    command = ("npm", "run", "--silent", "e2e", "--", "--reporter=list,junit", folder)
    return Suite(name, "web", command, (("PLAYWRIGHT_JUNIT_OUTPUT_FILE", "{report}"),))


LANES: tuple[tuple[Suite, ...], ...] = (
    (_pytest("cloud", "cloud/tests", 2),),
    (
        Suite("firmware", "firmware", ("node", "tests/run.mjs")),
        Suite(
            "web",
            "web",
            (
                "npm",
                "run",
                "--silent",
                "test",
                "--",
                "--reporter=default",
                "--reporter=junit",
                "--outputFile.junit={report}",
            ),
        ),
        _pytest("tools", "tools/tests", 2),
        _pytest("edge", "edge/tests", 4),
    ),
    # The story waits more than it works.
    (_browser("story", "e2e/story"), _browser("pages", "e2e/pages")),
)


def main(arguments: list[str]) -> int:
    """Run the suites named in `arguments` (all without any); exit status 1 if a test failed."""
    known = [suite.name for lane in LANES for suite in lane]
    if unknown := set(arguments) - set(known):
        print(f"unknown suite: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
        return 2
    wanted = [tuple(s for s in lane if not arguments or s.name in arguments) for lane in LANES]
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="stempelwerk-test-") as reports, ThreadPoolExecutor(len(LANES)) as pool:
        folder = Path(reports)
        ran = [each for lane in pool.map(lambda lane: _run_lane(lane, folder), wanted) for each in lane]
        cases = [case for report in folder.glob("*.xml") for case in _cases(report)]
    print("the slowest tests:")
    for case in sorted(cases, key=_seconds, reverse=True)[:10]:
        print(f"{_seconds(case):6.1f} s  {_title(case)}")
    for what, why in [failure for each in ran for failure in each.failures]:
        print(f"failed: {what}", *why.strip().splitlines()[-_LINES_OF_A_FAILURE:], sep="\n    ")
    total = sum((each.counts for each in ran), Counts())
    print(f"in {time.monotonic() - started:.0f} s")
    print(total)
    return 1 if total.failed or not total.passed else 0


def _run_lane(lane: tuple[Suite, ...], reports: Path) -> list[Ran]:
    return [_run(suite, reports / f"{suite.name}.xml") for suite in lane]


def _run(suite: Suite, report: Path) -> Ran:
    def fill(text: str) -> str:
        return text.replace("{report}", str(report))

    started = time.monotonic()
    with tempfile.TemporaryFile() as written:
        process = subprocess.Popen(
            [fill(part) for part in suite.command],
            cwd=ROOT / suite.folder,
            env=os.environ | {name: fill(value) for name, value in suite.environment},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
        _, status, used = os.wait4(process.pid, 0)  # it alone tells what the processors did for one of several
        process.returncode = os.waitstatus_to_exitcode(status)
        written.seek(0)
        output = written.read().decode(errors="replace")
    counts = _from_report(report) if report.exists() else _from_output(output)
    if not counts.failed and (process.returncode or not counts.passed):
        counts += Counts(failed=1)
    with _print_lock:
        worked = used.ru_utime + used.ru_stime
        print(f"=== {suite.name}: {counts} ({time.monotonic() - started:.0f} s, {worked:.0f} s of a processor)")
        print(output if counts.failed else _closing(output), flush=True)
    failures = [(_title(case), why) for case in _cases(report) if (why := _why(case)) is not None]
    return Ran(counts, tuple(failures) if failures or not counts.failed else ((suite.name, output),))


def _closing(output: str) -> str:
    return "\n".join(output.rstrip().splitlines()[-3:])


def _from_report(report: Path) -> Counts:
    """Count the test cases of a JUnit report, written by a test runner of ours."""
    passed = failed = skipped = 0
    for case in _cases(report):
        if _why(case) is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return Counts(passed, failed, skipped)


def _cases(report: Path) -> Iterator[ElementTree.Element]:
    """Of a suite that left no report, none."""
    return ElementTree.parse(report).getroot().iter("testcase") if report.exists() else iter(())  # noqa: S314 - our own file


def _title(case: ElementTree.Element) -> str:
    return f"{case.get('classname')}: {case.get('name')}"


def _why(case: ElementTree.Element) -> str | None:
    """What a test that failed says of it; None for one that did not."""
    said = [part.text or part.get("message") or "" for part in case if part.tag in ("failure", "error")]
    return "\n".join(said) if said else None


def _seconds(case: ElementTree.Element) -> float:
    return float(case.get("time") or 0)


def _from_output(output: str) -> Counts:
    found = _CLOSING_LINE.findall(output)
    return Counts(int(found[-1][0]), int(found[-1][1])) if found else Counts()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
