"""Fixtures and hooks for all tests of the tools."""

import os
import tempfile
from pathlib import Path

import pytest
import stempelwerk_tools.untimed  # noqa: F401 - loads the profile
from stempelwerk_edge.mounts import Durability, storage_of
from stempelwerk_tools import proven

if storage_of(Path(tempfile.gettempdir())).durability is Durability.FORGETFUL:
    # A real clock takes no taps there. Programs that tests start read the variable.
    os.environ["TMPDIR"] = tempfile.tempdir = "/var/tmp"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--proves", choices=sorted(proven.PROOFS), help="this is the whole proof: note it if all is green")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Records the proof, unless a test was skipped."""
    name = session.config.getoption("--proves")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if name is not None and exitstatus == 0 and reporter is not None and not reporter.stats.get("skipped"):
        proven.write(name)
