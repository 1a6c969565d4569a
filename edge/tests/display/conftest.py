"""A screen whose clocks stop until a test moves them, and a finger that remembers its calls."""

from datetime import UTC, datetime, timedelta

import pytest
from stempelwerk_edge.display.state import ScreenState
from stempelwerk_edge.ports import Answer, AnswerKind, Direction


class Times:
    """The agent's time and the monotonic clock, moved together or, for a corrected clock, apart."""

    def __init__(self) -> None:
        self.instant = datetime(2026, 11, 20, 6, 58, 3, 214000, tzinfo=UTC)
        self.seconds = 1000.0

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds
        self.instant += timedelta(seconds=seconds)

    def answer(self, for_s: float = 2.5, **members: object) -> Answer:
        base: dict[str, object] = {"key": "k1", "kind": AnswerKind.IN, "at": self.instant}
        return Answer(**{**base, "until": self.instant + timedelta(seconds=for_s), **members})  # type: ignore[arg-type]


class Finger:
    """A `Touch` that records its calls and returns the configured answer."""

    def __init__(self) -> None:
        self.chosen: list[Direction | None] = []
        self.answered: list[tuple[str, Direction | None, str | None]] = []
        self.question_open = True
        self.adopted: list[tuple[str | None, int]] = []
        self.pressed: list[tuple[str | None, int]] = []
        self.forgotten: list[str] = []

    def choose(self, direction: Direction | None, after: str | None = None, late_ms: int = 0) -> bool:
        self.chosen.append(direction)
        self.pressed.append((after, late_ms))
        return self.question_open

    def answer(
        self, stamp_id: str, direction: Direction | None = None, new_end: str | None = None, late_ms: int = 0
    ) -> bool:
        self.pressed.append((stamp_id, late_ms))
        self.answered.append((stamp_id, direction, new_end))
        return self.question_open

    def adopt(self, stamp_id: str | None, late_ms: int = 0) -> bool:
        self.adopted.append((stamp_id, late_ms))
        return self.question_open

    def forget(self, serial: str) -> bool:
        self.forgotten.append(serial)
        return self.question_open


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def finger() -> Finger:
    return Finger()


@pytest.fixture
def screen(times: Times) -> ScreenState:
    return ScreenState(now=lambda: times.instant, monotonic=lambda: times.seconds)
