"""What all tests of the tools share."""

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
    """What was skipped was not proven."""
    name = session.config.getoption("--proves")
    said = session.config.pluginmanager.get_plugin("terminalreporter")
    if name is not None and exitstatus == 0 and said is not None and not said.stats.get("skipped"):
        proven.write(name)
