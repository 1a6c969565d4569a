"""What was proven, and has not changed since, is not proven again at every commit.

A dear proof names the files that can turn it, and a whole run of it that ended well writes their digest into
`tools/proven.toml`, which is committed with them. While the files have that digest `make test` and CI leave the proof
out; `make prove` never does.

`python -m stempelwerk_tools.proven check NAME` ends with status 0 if nothing has changed since, `write NAME` says that
it was proven just now.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "tools" / "proven.toml"
_HEAD = "# By proof: the digest of what it depends on, as of its last whole run that ended well (proven.py).\n"

PROOFS: Mapping[str, Sequence[str]] = {
    # What simulated weeks run: both programs, and the simulation.
    "mistakes": (
        "cloud/stempelwerk_cloud",
        "cloud/migrations",
        "edge/stempelwerk_edge",
        "tools/stempelwerk_tools/simulation",
        "tools/tests/simulation",
        "requirements.lock",
    ),
    # What stands between the programs and the machine: what packs and installs them, what the two pages have one type,
    # and the modules where the programs meet systemd, its sandbox, a machine's files, ports and devices, and PostgreSQL
    # as Debian has it. Not all of the programs: what they do once they run is the same anywhere, and every other test
    # is about that.
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
        "cloud/stempelwerk_cloud/settings.py",
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
        "edge/stempelwerk_edge/settings.py",
        "edge/stempelwerk_edge/signals",
        "edge/stempelwerk_edge/surroundings.py",
    ),
}
"""By proof: files, and folders with all that is in them."""


def digest(paths: Iterable[str]) -> str:
    """Of the names and the contents of all files there. A path without a file is a mistake."""
    whole = hashlib.sha256()
    for file in sorted({file for path in paths for file in _files(ROOT / path)}):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        whole.update(f"{file.relative_to(ROOT).as_posix()} {content}\n".encode())
    return whole.hexdigest()


def _files(path: Path) -> list[Path]:
    found = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    found = [one for one in found if "__pycache__" not in one.parts]
    if not found:
        raise FileNotFoundError(path)
    return found


def is_proven(name: str) -> bool:
    """Whether everything that the proof depends on is as it was then."""
    return _kept().get(name) == digest(PROOFS[name])


def write(name: str) -> None:
    """It was proven just now, with the files as they are."""
    lines = (f'{one} = "{value}"\n' for one, value in sorted((_kept() | {name: digest(PROOFS[name])}).items()))
    KEPT.write_text(_HEAD + "".join(lines), encoding="utf-8")


def _kept() -> dict[str, str]:
    return tomllib.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}


def main(arguments: Sequence[str]) -> int:
    """Check or write; the exit status of a check says what came out."""
    parser = argparse.ArgumentParser(
        prog="proven", description="Whether something was proven and has not changed since."
    )
    parser.add_argument("what", choices=("check", "write"))
    parser.add_argument("name", choices=sorted(PROOFS))
    asked = parser.parse_args(arguments)
    if asked.what == "write":
        write(asked.name)
        return 0
    proven = is_proven(asked.name)
    print(f"{asked.name}: {'proven, and unchanged since' if proven else 'not proven as it is now'}")
    return 0 if proven else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
