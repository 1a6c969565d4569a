"""A second look is honest: it forgives failures that pass twice in isolation, reports them, and skips deterministic
tests.
"""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from stempelwerk_tools.testrun.__main__ import main
from stempelwerk_tools.testrun.reports import Case
from stempelwerk_tools.testrun.suites import LANES, NO_SECOND_LOOK, ROOT, Suite, may_have_been_chance

Ends = Callable[[str, str], tuple[int, list[str]]]

_FAILS_AT = """
from pathlib import Path

def fails_at(name, *times):
    count = Path(__file__).with_name(name)
    count.write_text(count.read_text() + "." if count.exists() else ".")
    assert len(count.read_text()) not in times, "the bus was late"
"""


@pytest.fixture
def run_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ends:
    """Returns a function that runs one suite with such tests in a file of that name: its exit status and its lines."""

    def run(body: str, name: str = "test_toy") -> tuple[int, list[str]]:
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / f"{name}.py").write_text(_FAILS_AT + body)
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml={report}")
        quick = (("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),)
        suite = Suite("toys", str(tmp_path), command, lambda case: (*command, f"{case.place}.py::{case.name}"), quick)
        status = main([], [[suite]])
        return status, capsys.readouterr().out.splitlines()

    return run


def test_a_failure_that_passes_alone_twice_is_reported_as_flaky(run_suite: Ends) -> None:
    status, lines = run_suite("def test_a(): fails_at('a', 1)\ndef test_b(): pass\n")
    assert status == 0
    assert lines[-1] == "2 passed, 0 failed"
    assert [line for line in lines if line.startswith("FLAKY")] == [
        "FLAKY: test_toy: test_a, AssertionError: the bus was late"
    ]
    assert not any(line.startswith("failed:") for line in lines)


@pytest.mark.parametrize("times", [(1, 2), (1, 3)])
def test_a_test_that_fails_in_either_look_has_failed(run_suite: Ends, times: tuple[int, ...]) -> None:
    status, lines = run_suite(f"def test_a(): fails_at('a', *{times})\n")
    assert status == 1
    assert lines[-1] == "0 passed, 1 failed"
    assert any("the bus was late" in line for line in lines)
    assert "failed: test_toy: test_a" in lines


def test_more_than_three_failures_get_no_second_look(run_suite: Ends) -> None:
    status, lines = run_suite("\n".join(f"def test_{name}(): fails_at('{name}', 1)" for name in "abcd"))
    assert status == 1
    assert lines[-1] == "0 passed, 4 failed"


def test_three_failures_each_get_a_second_look(run_suite: Ends) -> None:
    status, lines = run_suite("\n".join(f"def test_{name}(): fails_at('{name}', 1)" for name in "abc"))
    assert (status, lines[-1]) == (0, "3 passed, 0 failed")


def test_a_race_gets_no_second_look(run_suite: Ends) -> None:
    status, lines = run_suite("def test_a(): fails_at('a', 1)\n", "test_deciding_at_once")
    assert (status, lines[-1]) == (1, "0 passed, 1 failed")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("sh", "-c", "echo broke off; exit 3"), "broke off"),
        (("sh", "-c", "echo nothing to do"), "nothing to do"),
        (("sh", "-c", "echo 5 passed, 0 failed; exit 1"), "5 passed, 0 failed"),
    ],
)
def test_a_suite_that_breaks_off_or_tests_nothing_has_failed(
    command: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], [[Suite("toys", ".", command)]]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("1 failed")
    assert f"    {why}" in lines


_AND_THEN_ITS_FOLDER_FAILS = """
import pytest

@pytest.fixture(scope="session", autouse=True)
def broken(request):
    yield
    if request.session.testsfailed:
        {how}
"""


@pytest.mark.parametrize("how", ["pytest.exit('out of memory', 3)", "import os; os.kill(os.getpid(), 9)"])
def test_a_flaky_test_does_not_excuse_a_suite_that_breaks_off(run_suite: Ends, tmp_path: Path, how: str) -> None:
    (tmp_path / "conftest.py").write_text(_AND_THEN_ITS_FOLDER_FAILS.format(how=how))
    status, lines = run_suite("def test_a(): fails_at('a', 1)\ndef test_b(): pass\n")
    assert (status, lines[-1].rsplit(", ", 1)[1]) == (1, "1 failed")
    assert "failed: toys" in lines


# Playwright attributes such an error to the test that ended the worker; here the next worker's end fails.
_IN_A_BROWSERS_LANE = {
    "playwright": """
import { test as base } from '@playwright/test'
import { once } from './once'

const test = base.extend({
  hold: [async ({}, use, { workerIndex }) => {
    await use()
    if (workerIndex === 1) once('let go', process.env.QUIET)
  }, { scope: 'worker', auto: true }],
})
test('late', () => once('late'))
test('in time', () => {})
""",
    "vitest": """
import { test } from 'vitest'
import { once } from './once'

test('late', () => once('late'))
test('in time', async () => {
  setTimeout(() => once('let go', process.env.QUIET))
  await new Promise(resolve => setTimeout(resolve))
})
""",
}
_ONCE = """
import { existsSync, writeFileSync } from 'node:fs'

export function once(name, quiet) {
  if (quiet || existsSync(name)) return
  writeFileSync(name, '')
  throw new Error(`${name} too late`)
}
"""


@pytest.mark.parametrize("quiet", ["", "yes"])
@pytest.mark.parametrize("runner", _IN_A_BROWSERS_LANE)
def test_an_error_that_is_of_no_test_is_excused_by_none(
    runner: str, quiet: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "once.js").write_text(_ONCE)
    (tmp_path / "toy.spec.ts").write_text(_IN_A_BROWSERS_LANE[runner])
    executable = f"node_modules/.bin/{runner}"
    playwright = (executable, "test", "--reporter=list,junit", "--workers=1")
    vitest = (executable, "run", "--reporter=default", "--reporter=junit", "--outputFile.junit={report}")
    command, pick = (playwright, "--grep") if runner == "playwright" else (vitest, "--testNamePattern")
    environment = (("PLAYWRIGHT_JUNIT_OUTPUT_FILE", "{report}"), ("QUIET", quiet))
    suite = Suite("toys", str(tmp_path), command, lambda case: (*command, pick, case.name), environment)
    status = main([], [[suite]])
    lines = capsys.readouterr().out.splitlines()
    if quiet:
        assert (status, lines[-1]) == (0, "2 passed, 0 failed"), lines
    else:
        assert status == 1
        assert "failed: toys" in lines
        assert any("let go too late" in line for line in lines)


def test_each_way_to_run_a_test_again_finds_just_that_one() -> None:
    suites = {suite.name: suite for lane in LANES for suite in lane}
    lists = {"pages": "--list", "cloud": "--collect-only"}
    cases = {
        "pages": Case("pages/live.spec.ts", "two tabs have one connection, and an event reaches both"),
        "cloud": Case(
            "cloud.tests.people.test_callers_at_once.TestOnPostgreSQL",
            "test_who_ends_a_caller_waits_for_what_the_caller_is_deciding[lock]",
        ),
        "web": Case("src/api/client.test.ts", "a call > carries the bearer token of the session"),
    }
    for name, case in cases.items():
        suite = suites[name]
        assert suite.rerun is not None
        command = [part for part in suite.rerun(case) if "{report}" not in part and part != "--reporter=junit"]
        if name in lists:
            command.append(lists[name])
        done = subprocess.run(command, cwd=ROOT / suite.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.search(r"\b(Total: 1 test|1 test collected|Tests +1 passed)\b", _plain(done.stdout)), done.stdout


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_each_test_without_a_second_look_exists() -> None:
    """A renamed file would silently lose its place in the list."""
    places = [
        str(file.relative_to(ROOT).with_suffix("")).replace("/", ".")
        for program in ("cloud", "edge", "tools")
        for file in (ROOT / program / "tests").rglob("test_*.py")
    ]
    for pattern in NO_SECOND_LOOK:
        assert any(re.search(pattern, place) for place in places), pattern
    names = [name for pattern in NO_SECOND_LOOK for name in re.findall(r"\w+_\w+|(?<=[(|])\w+", pattern)]
    assert [name for name in names if not any(name in place for place in places)] == []
    assert may_have_been_chance(Case("cloud.tests.kit.test_mail", "test_a"))
    assert may_have_been_chance(Case("pages/live.spec.ts", "a tab"))
