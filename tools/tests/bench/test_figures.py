"""The page of figures: a run replaces the tables of its parts, and each row names its ground."""

from datetime import date
from pathlib import Path

from stempelwerk_tools.bench import figures
from stempelwerk_tools.bench.command import PARTS
from stempelwerk_tools.bench.goals import Finding, at_least, at_most

DAY = date(2026, 11, 29)
MET = Finding("a rate", at_least(0.3), 0.31, ground="PostgreSQL: 8 clocks")
MISSED = Finding("a | wait", at_most(10, "ms"), 12.24, ground="SQLite: 3 people")


def test_a_run_replaces_its_parts_and_leaves_the_others(tmp_path: Path) -> None:
    page = tmp_path / "figures.md"
    figures.write({"years": [MISSED], "rates": [MET]}, DAY, page)
    figures.write({"rates": [MISSED, MET]}, date(2026, 12, 1), page)
    tables = figures.sections(page.read_text("utf-8"))
    assert list(tables) == ["rates", "years"]
    assert "Measured on 2026-12-01" in tables["rates"]
    assert "Measured on 2026-11-29" in tables["years"]
    assert tables["rates"].splitlines()[-2:] == [
        "| a / wait | ≤ 10 ms | 12.2 ms | MISSED | SQLite: 3 people |",
        "| a rate | ≥ 0.3× | 0.31× | met | PostgreSQL: 8 clocks |",
    ]


def test_the_page_in_the_docs_has_a_table_for_each_part_and_each_row_its_ground() -> None:
    tables = figures.sections(figures.PAGE.read_text("utf-8"))
    assert tables.keys() <= PARTS.keys()
    rows = [line.split(" | ") for text in tables.values() for line in text.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row[0] != "| figure"]
    assert len(rows) > len(tables)
    assert [row for row in rows if len(row) != 5 or not row[4].strip(" |")] == []
