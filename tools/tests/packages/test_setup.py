"""A certificate authority that is only a file is handed on to everything that fetches packages."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from stempelwerk_tools.packages.program import ROOT

# Each prints the authority that it would trust, and does what the next step needs.
PIP = 'echo "pip ${PIP_CERT:-none}" >> "$SAID"'
UV = 'echo "uv ${SSL_CERT_FILE:-none}" >> "$SAID"'
NPM = 'echo "npm ${NODE_EXTRA_CA_CERTS:-none}" >> "$SAID"'


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Returns a clone whose fetching programs are stubs."""
    for name in ("tools/setup.sh", "tools/bootstrap.lock", "requirements.lock", "web/package-lock.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("cloud", "edge", "tools"):
        (tmp_path / name).mkdir(exist_ok=True)
        shutil.copy(ROOT / name / "pyproject.toml", tmp_path / name)
    (tmp_path / "firmware").mkdir()
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True)
    for name, does in {"pip": "true", "python": PIP, "uv": UV, "npm": NPM}.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    return tmp_path


def _set_up(clone: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", clone / "tools/setup.sh"],
        env={"PATH": os.environ["PATH"], "HOME": str(clone), "SAID": str(clone / "said"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_authority_that_cannot_be_read_is_said_before_anything_is_fetched(clone):
    done = _set_up(clone, SSL_CERT_FILE=str(clone / "missing.pem"))
    assert done.returncode == 1
    assert "missing.pem, which cannot be read" in done.stderr
    assert not (clone / "said").exists()


def test_pip_uv_and_npm_trust_the_authority_that_is_named_once(clone):
    authority = clone / "ca.pem"
    authority.write_text("")
    done = _set_up(clone, SSL_CERT_FILE=str(authority))
    assert done.returncode == 0, done.stderr
    trusted = (clone / "said").read_text("utf-8").split("\n")
    assert set(trusted) == {f"pip {authority}", f"uv {authority}", f"npm {authority}", ""}


def test_without_one_each_trusts_what_the_system_does(clone):
    assert _set_up(clone).returncode == 0
    assert set((clone / "said").read_text("utf-8").split("\n")) == {"pip none", "uv none", "npm none", ""}
