"""The registry of the outbox's tasks. The platform holds it, and the outbox (`kit/outbox`) runs the tasks."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

P = TypeVar("P")
_Task: TypeAlias = Callable[[P, str, Mapping[str, Any], str], None]


class TaskRegistry(Generic[P]):
    """The outbox tasks of an installation's rooms, by kind, and the loop to wake for a new row."""

    def __init__(self) -> None:
        self.tasks: dict[str, _Task[P]] = {}
        self._ring: Callable[[], object] | None = None

    def declare(self, tasks: Mapping[str, _Task[P]]) -> None:
        """Adds a room's tasks. ValueError if another room has one of these kinds."""
        twice = self.tasks.keys() & tasks.keys()
        if twice:
            raise ValueError(f"two rooms do {sorted(twice)}")
        self.tasks.update(tasks)

    def wake(self) -> None:
        """Wakes the loop of this process, if it has one, to look for due tasks. May be called from any thread."""
        ring = self._ring
        if ring is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                ring()

    @contextlib.contextmanager
    def woken_by(self, ring: Callable[[], object]) -> Iterator[None]:
        """Makes `wake` call `ring` as long as the block lasts."""
        self._ring = ring
        try:
            yield
        finally:
            self._ring = None
