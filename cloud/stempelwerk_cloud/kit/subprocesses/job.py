"""The job of a child process: its function, its limits, its refusals."""

import sys
from typing import NamedTuple

FAILED, REFUSED, TOO_MUCH = 1, 3, 4
"""Exit statuses other than 0: an exception, `Refused`, and no memory left or too deep a recursion."""


class Job(NamedTuple):
    """A call `function(payload, argument)` that returns the result.

    With `streams` the call is `function(stdin, stdout, argument)`: it talks with the parent itself until stdin ends.

    `function` is `module:name`. `modules` are imported first, because a process that opens nothing cannot import
    later. `seconds` limits the wall time; the parent enforces it.
    """

    function: str
    argument: str
    memory_bytes: int
    cpu_seconds: int
    seconds: float
    result_bytes: int
    nice: int
    modules: tuple[str, ...] = ()
    opens_files: bool = False
    file_bytes: int = 0
    """The limit for the size of a file that it writes."""
    streams: bool = False


class Refused(Exception):
    """The payload is rejected. The parent reads the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def report(count: int) -> None:
    """Reports to the parent how much has been done so far."""
    sys.stdout.buffer.write(b"%d\n" % count)
    sys.stdout.buffer.flush()
