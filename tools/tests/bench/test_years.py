"""The measure of years voids its figures if a job has removed entries of a year."""

from dataclasses import replace
from pathlib import Path

import pytest
from stempelwerk_tools.bench import history
from stempelwerk_tools.bench.crowd import Size
from stempelwerk_tools.bench.measures import size
from stempelwerk_tools.bench.sides.side import Void

FIVE_YEARS = Size(companies=1, people=3, clocks=1, stamps=0, large=3, days=5, years=5)


def filled(tmp_path: Path) -> list[str]:
    lines: list[str] = []
    url = f"sqlite:///{tmp_path / 'data' / 'years.db'}"
    size.fill("http://127.0.0.1:1", url, tmp_path / "data", FIVE_YEARS, lines.append)
    return lines


def test_all_years_are_there_after_every_job_has_run(tmp_path: Path) -> None:
    (line,) = (line for line in filled(tmp_path) if line.startswith("entries by year: "))
    counts = [int(one.split()[1].replace(",", "")) for one in line.removeprefix("entries by year: ").split(", 2")]
    assert len(counts) == FIVE_YEARS.years + 1
    assert min(counts[:-1]) > 3 * 200


def test_years_that_a_job_removes_void_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The company keeps its times for two years, as it does by default."""
    monkeypatch.setattr(history, "TIMES_YEARS", replace(history.TIMES_YEARS, name="not_a_setting"))
    with pytest.raises(Void, match="5 years were filled"):
        filled(tmp_path)
