"""`stempelwerk mutants`: draws mutants evenly from all wings, finds which of them the tests kill, and prints a score.

All of it happens in a copy of the tree. The suites run once, on SQLite, to record which test runs which line. Then each
mutant meets the tests that run its line, and after them the rest of its wing's tests, which may run it in a process of
their own. Tests of its wing come first, then the cheapest, until one fails. Code that runs at import meets all tests,
first those that run anything of its file. A mutant that makes the tests hang is killed. Exit status 0 from 94 % on, 1
below, 2 if the tests fail without a mutant.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from coverage import CoverageData

from stempelwerk_tools.mutation import chosen
from stempelwerk_tools.mutation.drawing import Mutant, draw_mutants

ROOT = Path(__file__).resolve().parents[3]
JUDGED = Path(__file__).parent / "equivalent.toml"
ENOUGH = 94
_PATIENCE_S = 120.0


@dataclass(frozen=True)
class Wing:
    """A folder of the program, its own tests, and all tests that may cover it."""

    sources: str
    tests: str
    suite: str


WINGS = [
    *(
        Wing(f"cloud/stempelwerk_cloud/{name}", f"cloud/tests/{name}/", "cloud/tests/")
        for name in ("domain", "kit", "people", "fleet", "timekeeping", "planning", "office", "device_api")
    ),
    *(
        Wing(f"edge/stempelwerk_edge/{name}", "edge/tests/", "edge/tests/")
        for name in ("cloud", "display", "machine", "readers", "signals", "storage", "tap")
    ),
]


class Unusable(Exception):
    """No score is possible: the tests fail without a mutant, or do not run on the copy."""


def main(argv: Sequence[str]) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(prog="stempelwerk mutants", description="How many mistakes the tests would find.")
    parser.add_argument("--sample", type=int, default=60, help="so many mutants (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (%(default)s)")
    options = parser.parse_args(argv)
    try:
        return run(ROOT, ["cloud", "edge", "tools"], WINGS, options.sample, options.seed, JUDGED)
    except Unusable as problem:
        print(problem, file=sys.stderr)
        return 2


def run(root: Path, paths: Sequence[str], wings: Sequence[Wing], sample: int, seed: int, equivalent_file: Path) -> int:
    """Runs the sample and prints its score. `paths`: the folders of the packages, below the root."""
    names = ("file", "inside", "before", "after")
    equivalents = {
        tuple(entry[name] for name in names) for entry in tomllib.loads(equivalent_file.read_text("utf-8"))["mutant"]
    }
    with tempfile.TemporaryDirectory(prefix="stempelwerk-mutants-") as folder:
        copy = _Copy(root, Path(folder).resolve(), paths)
        counts = [sample // len(wings) + (number < sample % len(wings)) for number in range(len(wings))]
        mutants = [
            (wing, mutant)
            for wing, count in zip(wings, counts, strict=True)
            for mutant in draw_mutants(copy.tree, wing.sources, count, seed)
        ]
        copy.look({wing.suite for wing in wings}, {mutant.file for _, mutant in mutants})
        verdicts: Counter[str] = Counter()
        for wing, mutant in mutants:
            equivalent = (mutant.file, mutant.place.inside, mutant.original, mutant.mutated) in equivalents
            verdict = "equivalent" if equivalent else copy.judge(wing, mutant)
            verdicts[verdict] += 1
            print(f"{verdict:<10}  {mutant.file}:{mutant.line}: {mutant.original} → {mutant.mutated}", flush=True)
    killed, lived = verdicts["killed"] + verdicts["hung"], verdicts["survived"] + verdicts["not run"]
    score = 100 * killed // max(killed + lived, 1)
    print(
        f"score {score} %: {killed} of {killed + lived} killed ({verdicts['hung']} hung),"
        f" {verdicts['equivalent']} equivalent, {lived} survived"
    )
    return 0 if score >= ENOUGH else 1


class _Copy:
    """The copy of the source tree, which is the only one that is changed, and its records of the lines that each test
    runs.
    """

    def __init__(self, root: Path, folder: Path, paths: Sequence[str]) -> None:
        self.tree, self.tests = folder / "tree", folder / "tests.json"
        self._paths = os.pathsep.join(str(self.tree / path) for path in paths)
        self.lines = CoverageData(str(folder / "lines"))
        self.took: dict[str, float] = {}
        ignored = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "var", "dist")
        shutil.copytree(root, self.tree, ignore=ignored)

    def look(self, suites: Iterable[str], files: Iterable[str]) -> None:
        """Records which tests run which lines of these files."""
        include = ",".join(sorted(str(self.tree / file) for file in files))
        coverage = ["coverage", "run", f"--data-file={self.lines.base_filename()}", f"--include={include}", "-m"]
        status, output = self._pytest(*sorted(suites), launcher=coverage)
        if status != 0:
            raise Unusable(f"{output}\nThe tests fail without any mutant.")
        self.took = json.loads(self.tests.read_text("utf-8"))
        self.lines.read()
        if not self.lines.measured_files():
            raise Unusable("The tests have run none of the files of the copy.")

    def judge(self, wing: Wing, mutant: Mutant) -> str:
        """Returns the tests' verdict on a mutant."""
        path = self.tree / mutant.file
        by_line = self.lines.contexts_by_lineno(str(path))
        covering = {test for line in range(mutant.place.first, mutant.place.last + 1) for test in by_line.get(line, ())}
        at_import = "" in covering
        running = {test for tests in by_line.values() for test in tests} if at_import else covering
        wing_tests = {test for test in self.took if test.startswith(wing.suite if at_import else wing.tests)}

        def order(test: str) -> tuple[bool, bool, float]:
            return test not in running, not test.startswith(wing.tests), self.took[test]

        tests = sorted(running & self.took.keys() | wing_tests, key=order)
        near = [test for test in tests if not any(order(test)[:2])]  # few files, which are collected quickly
        original = path.read_text("utf-8")
        try:
            _write(path, mutant.content)
            for part in (near, tests[len(near) :]):
                if part and (verdict := self._verdict(part)):
                    return verdict
        finally:
            _write(path, original)
        return "survived" if covering else "not run"

    def _verdict(self, tests: Sequence[str]) -> str | None:
        self.tests.write_text(json.dumps(tests), "utf-8")
        limit = _PATIENCE_S + 10 * sum(self.took[test] for test in tests)
        files = sorted({test.partition("::")[0] for test in tests})
        status, output = self._pytest("-x", *files, limit=limit)
        if status == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise Unusable(f"{output}\nNone of the tests was found again.")
        return None if status == 0 else "hung" if status is None else "killed"

    def _pytest(
        self, *arguments: str, launcher: Sequence[str] = (), limit: float | None = None
    ) -> tuple[int | None, str]:
        """Returns the exit status, None after a timeout, and the end of the output."""
        with subprocess.Popen(
            [sys.executable, "-m", *launcher, "pytest", "-q", "-p", chosen.__name__, "--hypothesis-seed=0", *arguments],
            cwd=self.tree,
            env=os.environ | {"PYTHONPATH": self._paths, chosen.FILE: str(self.tests)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output = process.communicate(timeout=limit)[0]
            except subprocess.TimeoutExpired:
                return None, ""
            finally:  # also after an interrupt, and for processes that a test has left running
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return process.returncode, output[-4000:]


def _write(path: Path, content: str) -> None:
    """Writes the file and deletes its bytecode: a change within a second, of the same length, would leave it valid."""
    path.write_text(content, "utf-8")
    Path(cache_from_source(str(path))).unlink(missing_ok=True)
