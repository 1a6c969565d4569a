"""The table of flaky tests names existing tests, each once: a test that appears twice must be fixed."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_ROW = re.compile(r"^\| `([^`]+?): ([^`]+)` \| (\d{2}\.\d{2}\.\d{4}) \| (.+) \|$")


def test_each_test_that_was_flaky_is_named_once_and_is_there() -> None:
    lines = (ROOT / "docs/flaky.md").read_text().splitlines()
    rows = lines[lines.index("|---|---|---|") + 1 :]
    matches = [_ROW.match(row) for row in rows]
    assert [row for row, match in zip(rows, matches, strict=True) if match is None] == []
    tests = [(match[1], match[2]) for match in matches if match is not None]
    assert len(tests) == len(set(tests)), "to be mended before anything else"
    for place, _ in tests:
        assert _file(place).exists(), place


def _file(place: str) -> Path:
    if place.endswith((".ts", ".tsx")):
        return ROOT / "web" / (place if place.startswith("src/") else f"e2e/{place}")
    module = re.match(r"(?:\w+\.)*?test_\w+", place)
    return ROOT / f"{(module[0] if module else place).replace('.', '/')}.py"
