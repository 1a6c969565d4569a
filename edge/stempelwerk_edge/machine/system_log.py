"""The program's log on its standard error: plain lines, or with their priority if systemd's journal reads them.

The journal takes the priority from `<3>` in front of a line (sd-daemon(3)); without it every line would count as the
same. Other modules decide which lines are logged, and which of them go to the cloud.
"""

import asyncio
import logging
import os
from collections.abc import Mapping
from contextlib import nullcontext
from io import UnsupportedOperation
from typing import NoReturn, TextIO

from stempelwerk_edge.repeats import RepeatFilter

_FORMAT = "%(levelname)s %(name)s: %(message)s"
_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_LOWEST = 7
_LOOK_S = 15.0


class SystemLog:
    """The log on its stream, with a rate limit for repeated lines."""

    def __init__(self, stream: TextIO, formatter: logging.Formatter) -> None:
        self.handler, self._repeats = logging.StreamHandler(stream), RepeatFilter()
        self.handler.addFilter(self._repeats)
        self.handler.setFormatter(formatter)

    async def run(self) -> NoReturn:
        """Writes overdue lines every 15 s, for ever."""
        while True:
            await asyncio.sleep(_LOOK_S)
            self.write_overdue()

    def write_overdue(self) -> None:
        """Writes the lines that the rate limit left out and that did not repeat since."""
        for record in self._repeats.overdue():
            with self.handler.lock or nullcontext():
                self.handler.emit(record)


def set_up_log(stream: TextIO, environment: Mapping[str, str] = os.environ) -> SystemLog:
    """Logs everything from `info` upwards to the stream; a repeated line only at growing intervals."""
    log = SystemLog(stream, _ForTheJournal(_FORMAT) if is_journal(stream, environment) else logging.Formatter(_FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=[log.handler])
    return log


def is_journal(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Returns whether systemd's journal reads the stream: $JOURNAL_STREAM (systemd.exec(5)) then has the stream's
    device and inode.
    """
    try:
        status = os.fstat(stream.fileno())
    except (OSError, UnsupportedOperation):
        return False
    return environment.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


def with_priority(text: str, level: int) -> str:
    """Returns the text as the journal takes it: it reads line by line, so each has its priority."""
    priority = next((number for threshold, number in _PRIORITIES if level >= threshold), _LOWEST)
    return "\n".join(f"<{priority}>{line}" for line in text.split("\n"))


class _ForTheJournal(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return with_priority(super().format(record), record.levelno)
