"""Skips a proof as long as its dependencies are unchanged.

An expensive proof lists the files that can change its outcome, and a complete successful run writes their digest into
`tools/proven.toml`, which is committed with them. While the files have that digest `make test` and CI skip the proof;
`make prove` never does. The tests of a proof carry `@pytest.mark.proof(NAME)`, and `pytest --proves NAME` runs them
(`tools/tests/conftest.py`).

`python -m stempelwerk_tools.proven check NAME` exits with status 0 if nothing has changed since, `write NAME` records a
proof of the present files.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIGESTS_FILE = ROOT / "tools" / "proven.toml"
_HEAD = "# By proof: the digest of what it depends on, as of its last whole run that ended well (proven.py).\n"

PROOFS: Mapping[str, Sequence[str]] = {
    # Simulated weeks, fleets, the demo, kills and restores run both programs with their tools.
    "programs": (
        "cloud/stempelwerk_cloud",
        "cloud/migrations",
        "edge/stempelwerk_edge",
        "firmware/scanner",
        "firmware/simulated",
        "tools/stempelwerk_tools",
        "tools/tests/backup",
        "tools/tests/demo",
        "tools/tests/fleet",
        "tools/tests/processes",
        "tools/tests/simulation",
        "tools/tests/simulators",
        "requirements.lock",
    ),
    # Everything between the programs and the machine: packaging and installing, the commands on the two pages, and the
    # modules where the programs meet systemd, its sandbox, a machine's files, ports and devices, and PostgreSQL as
    # Debian has it. The rest of the programs behaves the same anywhere, and every other test is about that.
    "installed": (
        "tools/stempelwerk_tools/packages",
        "tools/stempelwerk_tools/simulators",
        "tools/tests/installed",
        "tools/setup.sh",
        "requirements.lock",
        "web/package-lock.json",
        "docs/operations.md",
        "docs/clock.md",
        "README.md",
        "cloud/pyproject.toml",
        "cloud/deploy",
        "cloud/migrations/env.py",
        "cloud/stempelwerk_cloud/__main__.py",
        "cloud/stempelwerk_cloud/command_line.py",
        "cloud/stempelwerk_cloud/serving.py",
        "cloud/stempelwerk_cloud/configuration.py",
        "cloud/stempelwerk_cloud/kit/database/schema.py",
        "cloud/stempelwerk_cloud/kit/files",
        "cloud/stempelwerk_cloud/kit/operations",
        "cloud/stempelwerk_cloud/kit/security/key_files.py",
        "cloud/stempelwerk_cloud/kit/subprocesses",
        "cloud/stempelwerk_cloud/people/users/commands.py",
        "edge/pyproject.toml",
        "edge/deploy",
        "edge/stempelwerk_edge/__main__.py",
        "edge/stempelwerk_edge/check.py",
        "edge/stempelwerk_edge/machine",
        "edge/stempelwerk_edge/probe.py",
        "edge/stempelwerk_edge/readers",
        "edge/stempelwerk_edge/configuration.py",
        "edge/stempelwerk_edge/signals",
        "edge/stempelwerk_edge/surroundings.py",
    ),
}
"""Files, and folders with everything in them, by proof."""


def digest(paths: Iterable[str]) -> str:
    """Returns the digest of the names and contents of all files below these paths. Raises FileNotFoundError for a path
    without files.
    """
    total = hashlib.sha256()
    for file in sorted({file for path in paths for file in _files(ROOT / path)}):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"{file.relative_to(ROOT).as_posix()} {content}\n".encode())
    return total.hexdigest()


def _files(path: Path) -> list[Path]:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    files = [file for file in files if "__pycache__" not in file.parts]
    if not files:
        raise FileNotFoundError(path)
    return files


def is_proven(name: str) -> bool:
    """Returns whether the proof's dependencies are unchanged."""
    return _stored_digests().get(name) == digest(PROOFS[name])


def write(name: str) -> None:
    """Records a proof of the present files."""
    lines = (
        f'{name_of_proof} = "{value}"\n'
        for name_of_proof, value in sorted((_stored_digests() | {name: digest(PROOFS[name])}).items())
    )
    DIGESTS_FILE.write_text(_HEAD + "".join(lines), encoding="utf-8")


def _stored_digests() -> dict[str, str]:
    return tomllib.loads(DIGESTS_FILE.read_text("utf-8")) if DIGESTS_FILE.exists() else {}


def main(arguments: Sequence[str]) -> int:
    """Checks or writes; the exit status of a check is its result."""
    parser = argparse.ArgumentParser(
        prog="proven", description="Whether something was proven and has not changed since."
    )
    parser.add_argument("what", choices=("check", "write"))
    parser.add_argument("name", choices=sorted(PROOFS))
    options = parser.parse_args(arguments)
    if options.what == "write":
        write(options.name)
        return 0
    proven = is_proven(options.name)
    print(f"{options.name}: {'proven, and unchanged since' if proven else 'not proven as it is now'}")
    return 0 if proven else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
