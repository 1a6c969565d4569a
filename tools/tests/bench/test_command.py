"""The command: void or missing parts are reported, spoil nothing else, and never read as met."""

import json

import pytest
from stempelwerk_tools.bench import command
from stempelwerk_tools.bench.goals import PRODUCT, Finding, at_least
from stempelwerk_tools.bench.measures import rates
from stempelwerk_tools.bench.sides.side import Slice, Turns, Void


class Anywhere:
    """A field without an installation."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, line: str) -> None:
        self.said.append(line)


def _void(*_: object) -> list[Finding]:
    raise Void("a row is missing")


def _met(*_: object) -> list[Finding]:
    return [Finding("a goal", at_least(1), 2, ground="SQLite")]


def _groundless(*_: object) -> list[Finding]:
    return [Finding("not measured", at_least(1), None, "no browser"), Finding("a rumour", at_least(1), 2)]


@pytest.fixture
def field(mocker):
    field = Anywhere()
    opened = mocker.patch.object(command, "open_field")
    opened.return_value.__enter__.return_value = field
    opened.return_value.__exit__.return_value = False
    return field


def _run(mocker, tmp_path, parts):
    mocker.patch.dict(command.PARTS, parts, clear=True)
    status = command.main(["--quick", "--dir", str(tmp_path), "--only", *parts])
    return status, json.loads((tmp_path / "bench.json").read_text("utf-8"))


def test_a_void_part_is_reported_and_spoils_no_other(field, mocker, tmp_path, capsys):
    status, report = _run(mocker, tmp_path, {"wal": _void, "month": _met})
    assert status == 3
    assert report["void"] == {"wal": "a row is missing"}
    assert [goal["goal"] for goal in report["goals"]] == ["a goal"]
    assert "VOID: wal: a row is missing" in capsys.readouterr().err


def test_a_missed_goal_shows_in_the_status_and_a_met_one_does_not(field, mocker, tmp_path):
    assert _run(mocker, tmp_path, {"month": _met})[0] == 0
    missed = [Finding("a goal", at_least(1), 0.5, ground="SQLite")]
    assert _run(mocker, tmp_path, {"month": lambda *_: missed})[0] == 1


def test_a_figure_without_its_ground_is_void(field, mocker, tmp_path):
    status, report = _run(mocker, tmp_path, {"month": _met, "hearsay": _groundless})
    assert status == 3
    assert report["void"] == {"hearsay": "these figures do not say what they were measured on: ['a rumour']"}
    assert [(goal["goal"], goal["ground"]) for goal in report["goals"]] == [("a goal", "SQLite")]


def test_a_quick_run_writes_no_figures_into_the_docs(tmp_path):
    with pytest.raises(SystemExit):
        command.main(["--quick", "--docs", "--dir", str(tmp_path)])


def test_an_unmeasured_goal_does_not_fail_the_run_and_keeps_its_reason(field, mocker, tmp_path):
    unmeasured = [Finding("a goal", at_least(1), None, "no network")]
    status, report = _run(mocker, tmp_path, {"month": lambda *_: unmeasured})
    assert status == 0
    assert report["goals"][0]["met"] is None
    assert report["goals"][0]["reason"] == "no network"


def test_the_product_is_held_to_the_composed_limit_and_without_it_nothing_is_measured():
    product, limit = [Slice(100, 0.01, 0.02, 1)], [Slice(200, 0.005, 0.01, 1)]
    all_turns = [Turns(workload, {PRODUCT: product, rates.LIMIT: limit}) for workload in rates.WORKLOADS]
    measured = {finding.goal: finding.value for finding in rates.findings(all_turns)}
    assert measured.pop("1 client × 1 new: CPU against composed limit") is None
    assert sorted(measured.values()) == [0.5, 0.5, 0.5, 2]
    alone = [Turns(workload, {PRODUCT: product}) for workload in rates.WORKLOADS]
    assert {finding.met for finding in rates.findings(alone)} == {None}
