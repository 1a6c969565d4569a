"""What paper is to be drawn of: plain values, which are handed to another process."""

from collections.abc import Callable
from typing import Protocol

Tell = Callable[[int], None]
"""Hears now and then how much has been drawn so far."""


class Order(Protocol):
    """A `Struct` of plain values. Its module imports nothing but what draws: it is loaded for each paper."""

    def drawn(self, tell: Tell) -> bytes:
        """The file. The same order always gives the same pages."""
