"""The page of figures in the docs: one table for each part of the benchmark, written by `stempelwerk bench --docs`.

A run replaces the tables of the parts that it measured. Those of other parts stay, each with its day and machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from stempelwerk_tools.bench.goals import SAID, Finding

PAGE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "figures.md"
_HEAD = """# Figures of the benchmark

`stempelwerk bench --docs` writes this page; do not edit it. [The benchmark](proof.md#what-the-benchmark-says)
explains the figures.
"""
_SECTION = re.compile(r"^## (\w+)\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def write(findings: Mapping[str, list[Finding]], today: date, page: Path = PAGE) -> None:
    """Replaces the tables of these parts. `findings` by part. Raises OSError."""
    tables = sections(page.read_text("utf-8")) if page.exists() else {}
    tables |= {part: _section(part, part_findings, today) for part, part_findings in findings.items()}
    page.write_text("\n".join([_HEAD, *(tables[part] for part in sorted(tables))]), "utf-8")


def sections(content: str) -> dict[str, str]:
    """Splits the page into the text of each part, by name."""
    return {match[1]: f"{match[0].rstrip()}\n" for match in _SECTION.finditer(content)}


def _section(part: str, findings: Iterable[Finding], today: date) -> str:
    rows = [(f.goal, str(f.bound), f.display_value, SAID[f.met], f.ground) for f in findings]
    lines = [f"## {part}", "", f"Measured on {today:%Y-%m-%d}, {os.cpu_count()} cores.", ""]
    lines += ["| figure | goal | measured | | on |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"
