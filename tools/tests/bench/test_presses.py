"""The browser's report of presses: its slowest by the median, and nothing where it reports nothing."""

import json
import sys

import pytest
from stempelwerk_tools.bench.measures import presses
from stempelwerk_tools.bench.sides.side import NotMeasured, Void


class Listener:
    """A field that only hears."""

    def say(self, line: str) -> None:
        self.said = line


@pytest.fixture
def browser(mocker):
    """Says instead of the browser what it has timed."""

    def says(program: str) -> None:
        mocker.patch.object(presses, "browser_program", return_value=[sys.executable, "-c", program])

    return says


def test_the_slowest_press_counts_by_its_median_and_not_by_one_bad_moment(browser):
    times = {"quick but once": [24, 500, 32], "slow": [88, 72, 96]}
    browser(f"print({json.dumps(json.dumps({'presses': times, 'ground': 'SQLite: 9 people'}))})")
    field = Listener()
    [finding] = presses.measure(field, 3)
    assert finding.value == 88
    assert finding.met
    assert finding.ground == "the demo, SQLite: 9 people"
    assert "'slow'" in field.said


def test_a_browser_that_fails_or_times_nothing_measures_nothing(browser):
    browser("raise SystemExit('no page')")
    with pytest.raises(Void, match="no page"):
        presses.measure(Listener(), 1)
    browser("""print('{"presses": {"a press": [0, 0, 0]}, "ground": ""}')""")
    with pytest.raises(Void, match="timed no press"):
        presses.measure(Listener(), 3)


def test_without_a_browser_the_goal_is_neither_met_nor_missed(mocker):
    mocker.patch.object(presses, "browser_program", side_effect=NotMeasured("not built"))
    [finding] = presses.measure(Listener(), 1)
    assert finding.met is None
    assert finding.reason == "not built"
