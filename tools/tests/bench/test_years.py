"""A measure whose database differs from its order gives no figures."""

from dataclasses import replace
from pathlib import Path

import pytest
from stempelwerk_tools.bench import ground, history
from stempelwerk_tools.bench.crowd import Size
from stempelwerk_tools.bench.ground import Ground
from stempelwerk_tools.bench.measures import size
from stempelwerk_tools.bench.sides.side import Void

FIVE_YEARS = Size(companies=1, people=3, clocks=1, stamps=0, large=3, days=5, years=5)
THERE = Ground("SQLite", companies=1, people=3, clocks=1, years=5, entries=3_000, stamps=800)


def filled_ground(tmp_path: Path) -> Ground:
    url = f"sqlite:///{tmp_path / 'data' / 'years.db'}"
    size.fill("http://127.0.0.1:1", url, tmp_path / "data", FIVE_YEARS, lambda _: None)
    return ground.count_rows(url)


def test_all_years_are_there_after_every_job_has_run(tmp_path: Path) -> None:
    counts = filled_ground(tmp_path)
    ground.check(counts, FIVE_YEARS)
    assert (counts.database, counts.companies, counts.people, counts.clocks, counts.years) == ("SQLite", 1, 3, 1, 5)
    assert counts.entries > 3 * 200 * 5


def test_years_that_a_job_removes_void_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The company keeps its times for two years, as it does by default."""
    monkeypatch.setattr(history, "TIMES_YEARS", replace(history.TIMES_YEARS, name="not_a_setting"))
    counts = filled_ground(tmp_path)
    assert counts.years < 5
    with pytest.raises(Void, match="years=5"):
        ground.check(counts, FIVE_YEARS)


def test_a_year_without_leave_voids_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_LEAVE", ())
    with pytest.raises(Void, match="years=5"):
        ground.check(filled_ground(tmp_path), FIVE_YEARS)


@pytest.mark.parametrize(
    "difference",
    [{"companies": 2}, {"people": 2}, {"clocks": 0}, {"years": 4}, {"years": 6}, {"entries": 0}, {"stamps": 799}],
)
def test_a_count_that_is_not_the_sizes_voids_the_figures(difference: dict[str, int]) -> None:
    expected = replace(FIVE_YEARS, stamps=1_000)
    ground.check(THERE, expected)
    with pytest.raises(Void, match="was to be measured"):
        ground.check(THERE._replace(**difference), expected)


def test_a_ground_reads_as_words_and_omits_zeros() -> None:
    assert str(THERE) == "SQLite: 1 company, 3 people, 1 clock, 5 years, 3,000 entries, 800 stamps"
    assert str(THERE._replace(people=1, years=0, stamps=0)) == "SQLite: 1 company, 1 person, 1 clock, 3,000 entries"
