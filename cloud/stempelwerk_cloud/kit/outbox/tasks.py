"""Outbox tasks, the exceptions that they may raise, and the pauses between their attempts."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from stempelwerk_cloud.kit.platform import Platform

MOST_ATTEMPTS = 12
SHORTEST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)
_SPREAD = 1000


Task = Callable[[Platform, str, Mapping[str, Any], str], None]
"""(platform, company_id, payload, id) -> None: does one thing, outside of any transaction. Every attempt gets the same
id.
"""


class RetryLater(Exception):
    """An expected failure that may succeed later. The reason is logged, so it must not name persons.

    `seconds`: the pause until the next attempt, limited to between 1 s and `LONGEST_PAUSE`; None: the usual pause.
    """

    def __init__(self, seconds: float | None = None, reason: str = "") -> None:
        super().__init__(reason)
        longest_s = LONGEST_PAUSE.total_seconds()
        self.pause = None if seconds is None else timedelta(seconds=min(max(1.0, seconds), longest_s))


class PermanentFailure(Exception):
    """A failure that no later attempt can mend. The reason is logged, so it must not name persons."""


def pause_after(attempts: int, chance: float) -> timedelta:
    """Returns the pause after this number of attempts, 1 and more: a minute, then twice as long each time, six hours at
    most.

    `chance`, from 0 up to 1, makes it up to half as long again, so that tasks that failed together do not retry
    together.
    """
    doubled = min(attempts - 1, MOST_ATTEMPTS)
    grown = min(SHORTEST_PAUSE * (1 << doubled), LONGEST_PAUSE)
    return min(grown * (1 + chance / 2), LONGEST_PAUSE)


def chance_of(platform: Platform) -> float:
    return platform.ids.below(_SPREAD) / _SPREAD
