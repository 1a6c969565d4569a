"""The suites, their lanes, and the command to rerun one of their tests in isolation.

Two lanes, for two cores: the tests in Python with two workers, the pages with one browser.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stempelwerk_tools.testrun.reports import Case

ROOT = Path(__file__).resolve().parents[3]
Command = tuple[str, ...]


@dataclass(frozen=True)
class Suite:
    """`command` runs in `folder`; `{report}` in it or in `environment` stands for the JUnit report to be written.

    `rerun` makes the command that runs one test of it; None where a test of it cannot fail by chance.
    """

    name: str
    folder: str
    command: Command
    rerun: Callable[[Case], Command] | None = None
    environment: tuple[tuple[str, str], ...] = ()


NO_SECOND_LOOK = (
    # These are deterministic: a rerun would give the same result.
    r"^cloud\.tests\.(domain|contract|matrix|migrations)\.",
    r"^edge\.tests\.contract\.",
    r"^tools\.tests\.(contract|documents|simulation)\.",
    r"\.test_row_security",
    # These are races: they are meant to find errors that occur once in a hundred runs.
    r"_at_once\b",
    r"\.test_(callers_who_leave|merge|merging_transactions|soak)\b",
)


def may_have_been_chance(case: Case) -> bool:
    """Returns whether a failed test may have failed by chance and should be run again."""
    return not any(re.search(each, case.place) for each in NO_SECOND_LOOK)


def _pytest(name: str, path: str, workers: int) -> Suite:
    command = (sys.executable, "-m", "pytest", "-q", "--junitxml={report}")

    def rerun(case: Case) -> Command:
        # A class of a file follows the file's name.
        where = re.sub(r"(/test_\w+)", r"\1.py", case.place.replace(".", "/"), count=1)
        file, _, group = where.partition(".py")
        return (*command, f"{file}.py{group.replace('/', '::')}::{case.name}")

    return Suite(name, ".", (*command, "-n", str(workers), "--dist", "worksteal", path), rerun)


def _browser(name: str, folder: str) -> Suite:
    command = ("npm", "run", "--silent", "e2e", "--", "--reporter=list,junit")

    def rerun(case: Case) -> Command:
        return (*command, f"e2e/{case.place}", "--grep", f"{re.escape(case.name.replace(' › ', ' '))}$")

    return Suite(name, "web", (*command, folder), rerun, (("PLAYWRIGHT_JUNIT_OUTPUT_FILE", "{report}"),))


def _vitest() -> Suite:
    reporters = ("--reporter=default", "--reporter=junit", "--outputFile.junit={report}")
    command = ("npm", "run", "--silent", "test", "--", *reporters)

    def rerun(case: Case) -> Command:
        return (*command, case.place, "--testNamePattern", f"^{re.escape(case.name)}$")

    return Suite("web", "web", command, rerun)


LANES: tuple[tuple[Suite, ...], ...] = (
    (_pytest("cloud", "cloud/tests", 2), _pytest("tools", "tools/tests", 2), _pytest("edge", "edge/tests", 2)),
    (
        _browser("pages", "e2e/pages"),
        _browser("story", "e2e/story"),
        _vitest(),
        Suite("firmware", "firmware", ("node", "tests/run.mjs")),
    ),
)
