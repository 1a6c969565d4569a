"""The figure of the start: the processor's time of the command itself, and no figure where it fails."""

from types import SimpleNamespace

import pytest
from stempelwerk_tools.bench.measures import start
from stempelwerk_tools.bench.sides.side import Void

FIELD = SimpleNamespace(say=lambda _: None)
WORK = "sum(range(3_000_000))"


def test_more_work_is_a_larger_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "_BARE", "pass")
    monkeypatch.setattr(start, "_COMMAND", f"for _ in range(20): {WORK}")
    [finding] = start.measure(FIELD, 1)  # type: ignore[arg-type]
    assert finding.value is not None
    assert finding.value > 1
    assert "fastapi" in finding.ground


def test_a_command_that_fails_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "_COMMAND", "raise SystemExit('no such library')")
    with pytest.raises(Void, match="no such library"):
        start.measure(FIELD, 1)  # type: ignore[arg-type]


def test_both_sides_run_and_the_command_imports_more() -> None:
    [finding] = start.measure(FIELD, 1)  # type: ignore[arg-type]
    assert finding.value is not None
    assert finding.value > 1
