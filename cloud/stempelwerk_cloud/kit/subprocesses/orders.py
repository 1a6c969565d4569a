"""Orders: plain values that a child process turns into a file."""

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

import msgspec

from stempelwerk_cloud.kit.subprocesses.job import report

Tell = Callable[[int], None]
"""Takes how much has been drawn so far."""


class Order(Protocol):
    """A `Struct` of plain values. Its module is loaded by the service and by each child process that draws it.

    `render_file` imports the libraries that draw, so the service starts without them."""

    def render_file(self, tell: Tell) -> bytes:
        """Returns the file. Equal orders give equal pages."""


def draw(order: bytes, kind: str) -> bytes:
    """Returns the file of an order, given as JSON, whose type is `module:name`. Runs in the child process."""
    module, _, name = kind.partition(":")
    decoded: Order = msgspec.json.decode(order, type=getattr(import_module(module), name))
    return decoded.render_file(report)
