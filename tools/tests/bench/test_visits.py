"""The browser's report of first visits: the slowest page counts, and nothing where it fails or finds too few."""

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from stempelwerk_tools.bench.crowd import TINY
from stempelwerk_tools.bench.measures import visits
from stempelwerk_tools.bench.sides.side import NotMeasured, Void

FIELD = SimpleNamespace(postgres=SimpleNamespace(new_database=lambda: "postgresql://"), folder=Path())
SESSIONS = [{"token": name} for name in ("company", "employee", "admin", "council")]
TOLD = "import json, sys; asked = json.load(sys.stdin); assert asked['url'] == 'http://127.0.0.1:8';"
EACH_AS_ITSELF = "assert all(one['token'] == area for area, one in asked['sessions'].items());"


@pytest.fixture
def browser(mocker):
    """Replaces the browser: reports how long the pages took, if it was given the address and the sessions."""

    @contextmanager
    def filled(*_):
        yield SimpleNamespace(port=8, crowd=SimpleNamespace(sessions=SESSIONS), ground="PostgreSQL")

    def says(program: str) -> None:
        mocker.patch.object(visits, "filled", filled)
        command = [sys.executable, "-c", f"{TOLD} {EACH_AS_ITSELF} {program}"]
        mocker.patch.object(visits, "browser_program", return_value=command)

    return says


def test_the_slowest_page_counts_and_all_are_told(browser):
    took = {f"company page{number}": 90 for number in range(40)} | {"employee my_times": 201}
    browser(f"print({json.dumps(json.dumps(took))})")
    (finding,), table = visits.measure(FIELD, TINY, 5)
    assert (finding.value, finding.met) == (201, False)
    assert "employee my_times" in finding.goal
    assert table.splitlines()[2].split() == ["employee", "my_times", "201"]
    assert len(table.splitlines()) == 2 + len(took)


def test_a_browser_that_fails_or_finds_too_few_pages_measures_nothing(browser):
    browser("raise SystemExit('no menu')")
    with pytest.raises(Void, match="no menu"):
        visits.measure(FIELD, TINY, 1)
    browser("""print('{"company today": 0}')""")
    with pytest.raises(Void, match="found 1 pages"):
        visits.measure(FIELD, TINY, 1)


def test_without_a_browser_the_goal_is_neither_met_nor_missed(mocker):
    mocker.patch.object(visits, "browser_program", side_effect=NotMeasured("not built"))
    (finding,), _ = visits.measure(FIELD, TINY, 1)
    assert finding.met is None
    assert finding.reason == "not built"
