"""Typed slots: values that live as long as the platform (the memory of the process) or as a session (the memory of a
transaction).

A slot is declared next to its use. It is itself the key of its value in the holder's `info`, as SQLAlchemy calls a
session's dictionary: so the value's type is known, and no two names clash.
"""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar


class HasInfo(Protocol):
    """A holder of values: a platform or a session."""

    @property
    def info(self) -> Any: ...


Holder = TypeVar("Holder", bound=HasInfo)
Value = TypeVar("Value")


class Slot(Generic[Holder, Value]):
    """A value of each `Platform`, or of each `Session`. `make(holder)` returns the first value."""

    def __init__(self, make: Callable[[Holder], Value]) -> None:
        self._make: Callable[[Holder], Value] = make

    def of(self, holder: Holder) -> Value:
        """Returns the holder's value, and makes it at the first call. All threads get the same value."""
        value: Value
        try:
            value = holder.info[self]
        except KeyError:
            value = holder.info.setdefault(self, self._make(holder))
        return value

    def get(self, holder: Holder) -> Value | None:
        """Returns the holder's value, or None before it is made or set."""
        value: Value | None = holder.info.get(self)
        return value

    def set(self, holder: Holder, value: Value) -> None:
        """Replaces the holder's value."""
        holder.info[self] = value

    def pop(self, holder: Holder) -> Value | None:
        """Removes and returns the holder's value, or returns None."""
        value: Value | None = holder.info.pop(self, None)
        return value

    def info_of(self, value: Value) -> dict[Any, Any]:
        """Returns the `info` of a new holder that has this value."""
        return {self: value}
