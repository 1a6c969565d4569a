"""Keeps the released wire contracts from changing: `python -m stempelwerk_tools.contract check|freeze`.

`FROZEN.sha256` of a version (`docs/contract/vN`, `docs/contract/scanner/vN`) holds one digest for each schema and for
each case of the golden vectors, so that adding a case is easy and changing one is refused. The digest covers what a
program can distinguish: a schema as parsed, a case's input and expected outcome. The layout of a file and the comments
of a case may change.

It does not judge whether a case is right, and it never removes or rewrites a line: other behaviour needs a new version
of the contract (docs/guides/change-the-contract.md).
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CONTRACT = Path(__file__).resolve().parents[2] / "docs" / "contract"
FROZEN = "FROZEN.sha256"
_CASE_MEMBERS = {"id", "comment", "catches", "input", "expected"}


class ContractUnreadable(Exception):
    """A schema, a file of vectors or the list of digests is malformed."""


@dataclass(frozen=True)
class Difference:
    """The difference between the documents and the frozen digests; names are `schemas/x.json` or
    `vectors/topic.json#case`.
    """

    changed: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def broken(self) -> bool:
        """Whether a released schema or case was changed or removed."""
        return bool(self.changed or self.removed)


def versions(contract: Path = CONTRACT) -> list[Path]:
    """Returns the folders of all versions, oldest first: of the contract with the service, then of that with the
    scanners.
    """
    return [
        version
        for folder in (contract, contract / "scanner")
        for version in sorted(folder.glob("v*"), key=lambda path: int(path.name[1:]))
    ]


def compute_digests(version: Path) -> dict[str, str]:
    """Returns the digest of each schema and case in a version's documents; ContractUnreadable if one is malformed."""
    digests_by_name: dict[str, str] = {}
    for name, value in _frozen_things(version):
        if name in digests_by_name:
            raise ContractUnreadable(f"{name} is there twice")
        digests_by_name[name] = _digest(value)
    return digests_by_name


def read_frozen(version: Path) -> dict[str, str]:
    """Returns the frozen digests, read in the form of `sha256sum`: digest, two spaces, name."""
    path = version / FROZEN
    digests_by_name: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        digest, separator, name = line.partition("  ")
        if not separator or len(digest) != 64 or name in digests_by_name:
            raise ContractUnreadable(f"{path}: not a line of digests, or listed twice: {line!r}")
        digests_by_name[name] = digest
    return digests_by_name


def compare(version: Path) -> Difference:
    """Compares a version's documents with their frozen digests."""
    now, then = compute_digests(version), read_frozen(version)
    return Difference(
        changed=tuple(name for name in then if name in now and now[name] != then[name]),
        removed=tuple(name for name in then if name not in now),
        added=tuple(name for name in now if name not in then),
    )


def freeze(version: Path) -> Difference:
    """Adds new digests to the list; writes nothing if a released schema or case was changed or removed."""
    difference = compare(version)
    if not difference.broken and difference.added:
        now = compute_digests(version)
        digests_by_name = read_frozen(version) | {name: now[name] for name in difference.added}
        text = "".join(f"{digests_by_name[name]}  {name}\n" for name in sorted(digests_by_name))
        (version / FROZEN).write_text(text, encoding="utf-8")
    return difference


def _frozen_things(version: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted((version / "schemas").glob("*.json")):
        yield f"schemas/{path.name}", _load(path)
    for path in sorted((version / "vectors").glob("*.json")):
        topic = _load(path)
        if not isinstance(topic, dict) or topic.get("topic") != path.stem or not topic.get("cases"):
            raise ContractUnreadable(f"{path}: topic and cases are missing, or the topic is not the file's name")
        if topic.get("version") != int(version.name[1:]):
            raise ContractUnreadable(f"{path}: version is not that of the folder")
        for case in topic["cases"]:
            if set(case) != _CASE_MEMBERS:
                raise ContractUnreadable(f"{path}: a case has {sorted(_CASE_MEMBERS)}, this one {sorted(case)}")
            yield f"vectors/{path.name}#{case['id']}", {"input": case["input"], "expected": case["expected"]}


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ContractUnreadable(f"{path}: {error}") from error


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def main(arguments: list[str]) -> int:
    """Runs `check` (nothing may differ) or `freeze` (adds digests); exit status 1 if something released differs."""
    if arguments not in (["check"], ["freeze"]):
        print("usage: python -m stempelwerk_tools.contract check|freeze", file=sys.stderr)
        return 2
    failed = False
    for version in versions():
        difference = compare(version) if arguments == ["check"] else freeze(version)
        for word, names in (("changed", difference.changed), ("removed", difference.removed)):
            for name in names:
                print(f"{version}: {name} is released and was {word}; make a new version instead")
        for name in difference.added:
            print(f"{version}: {name} {'is not frozen yet' if arguments == ['check'] else 'added'}")
        failed = failed or difference.broken or (arguments == ["check"] and bool(difference.added))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
