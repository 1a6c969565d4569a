"""Fixtures and hooks for all tests of the tools."""

import functools
import os
import tempfile
from pathlib import Path

import pytest
import stempelwerk_tools.untimed  # noqa: F401 - loads the profile
from stempelwerk_edge.mounts import Durability, storage_of
from stempelwerk_tools import proven

TESTS = Path(__file__).resolve().parent

if storage_of(Path(tempfile.gettempdir())).durability is Durability.FORGETFUL:
    # A real clock takes no taps there. Programs that tests start read the variable.
    os.environ["TMPDIR"] = tempfile.tempdir = "/var/tmp"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--proves", choices=sorted(proven.PROOFS), help="this is the whole proof: note it if all is green")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves each proof that still counts to `make prove`; with `--proves` selects only that proof's tests."""
    name = config.getoption("--proves")
    if name is not None:
        unrelated = [item for item in items if _proof_of(item) != name]
        items[:] = [item for item in items if _proof_of(item) == name]
        left_out = _files_of(name) - {item.path for item in items}
        if left_out or config.getoption("keyword"):
            raise pytest.UsageError(f"--proves {name} needs all its tests: {sorted(map(str, left_out))}")
        config.hook.pytest_deselected(items=unrelated)
        return
    is_proven = functools.cache(proven.is_proven)
    for item in items:
        proof = _proof_of(item)
        if proof is not None and item.get_closest_marker("machines") is None and is_proven(proof):
            item.add_marker("prove")


def _files_of(name: str) -> set[Path]:
    """Returns the files with tests of that proof."""
    marker = f'pytest.mark.proof("{name}")'
    return {file for file in TESTS.rglob("test_*.py") if marker in file.read_text("utf-8")}


def _proof_of(item: pytest.Item) -> str | None:
    mark = item.get_closest_marker("proof")
    return None if mark is None else mark.args[0]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Records the proof, unless a test was skipped."""
    name = session.config.getoption("--proves")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if name is not None and exitstatus == 0 and reporter is not None and not reporter.stats.get("skipped"):
        proven.write(name)
