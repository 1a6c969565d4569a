"""Structured logs: one JSON object a line on stderr, with the id of the request.

Secrets never reach a line: paths are logged without their query and without the secret of a calendar's address, bodies
and headers not at all, tracebacks without local variables and without the values in a database's errors, and members
with suspicious names are blanked as a last resort. For systemd's journal each line begins with its priority.
"""

import logging
import os
import re
import sys
from collections.abc import MutableMapping
from functools import cache, partial
from typing import Any, TextIO

import msgspec
import structlog

from stempelwerk_cloud.kit.operations import data_folder

_VALUES = re.compile(
    r"(\n|\\n)(DETAIL|CONTEXT):.*?"
    r"(?=(?:\n|\\n)(?:HINT:|DETAIL:|CONTEXT:|QUERY:|\[SQL|\(Background|Traceback|The above|During handling)|\n\n|$)",
    re.DOTALL,
)
_CALENDAR = re.compile(r"(/calendar/).+", re.DOTALL | re.IGNORECASE)
_CALENDAR_IN_TEXT = re.compile(r"(/api/calendar/)[^\s\"']+", re.IGNORECASE)
_PRIORITIES = {"critical": 2, "exception": 3, "error": 3, "warning": 4, "warn": 4, "info": 6, "debug": 7}
"""Priorities of lines in the journal (sd-daemon(3)), by level."""
_STDERR = 2
_SECRET = ("token", "password", "secret", "authorization", "ticket", "cookie")


def configure(
    level: int = logging.INFO, stream: TextIO | None = None, *, priorities: bool | None = None
) -> logging.Handler:
    """Configures logging: structlog and the standard library's loggers (uvicorn, alembic) write lines of the same form
    to `stream`.

    Returns the handler for the standard library's loggers; all other handlers of the root logger are removed. Structlog
    writes to the stream directly, which is faster: each request writes a line. `priorities`: whether each line begins
    with its priority for the journal; None: only if stderr is the journal.
    """
    for_good, stream = stream is None, stream or sys.stderr
    if priorities is None:
        priorities = for_good and stderr_is_the_journal()
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        blank_secrets,
    ]
    rendering: list[Any] = [
        report_full_disk,
        structlog.processors.format_exc_info,
        leave_values_out,
        leave_addresses_out,
        structlog.processors.JSONRenderer(serializer=_encode),
        *([prepend_priority] if priorities else []),
    ]
    structlog.configure(
        processors=[*shared, *rendering],
        logger_factory=partial(_Lines, stream),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=for_good,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs each time that the schema is read
    return handler


class _Lines(structlog.WriteLogger):
    """A logger that writes lines under a lock, so that they do not interleave; `name` is the logger's."""

    def __init__(self, stream: TextIO, name: str = "") -> None:
        super().__init__(stream)
        self.name = name


def stderr_is_the_journal() -> bool:
    """Returns whether systemd has connected stderr to its journal (systemd.exec(5)), and stderr was not redirected
    since.
    """
    journal_stream = os.environ.get("JOURNAL_STREAM")
    if not journal_stream:
        return False
    try:
        stderr_stat = os.fstat(_STDERR)
    except OSError:
        return False
    return journal_stream == f"{stderr_stat.st_dev}:{stderr_stat.st_ino}"


def prepend_priority(_logger: Any, method: str, line: str) -> str:
    """Prepends its priority to a finished line. The last structlog processor."""
    return priority(method) + line


def priority(level: str) -> str:
    """Returns the journal's prefix for a line of that level."""
    return f"<{_PRIORITIES.get(level, _PRIORITIES['info'])}>"


def blank_secrets(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replaces members whose names suggest secrets by "…". A structlog processor."""
    for name in line:
        if _is_secret(name):
            line[name] = "…"
    return line


def report_full_disk(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replaces the traceback of a full disk by a sentence: it would be the same at every write. A processor."""
    exc_info = line.get("exc_info")
    error = exc_info[1] if isinstance(exc_info, tuple) else sys.exception() if exc_info is True else exc_info
    if isinstance(error, BaseException) and data_folder.ran_out(error):
        del line["exc_info"]
        line["error"] = "the disk is full: make room, until then clocks keep their stamps"
    return line


def leave_values_out(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Cuts out PostgreSQL's details about rows and parameters, and keeps the sentence of its error. A processor."""
    for name, value in line.items():
        if isinstance(value, str) and ("DETAIL:" in value or "CONTEXT:" in value):
            line[name] = _VALUES.sub(r"\1\2: …", value)
    return line


def leave_addresses_out(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Cuts out the secret of a calendar's address, which is enough to read the calendar. A processor."""
    for name, value in line.items():
        if isinstance(value, str) and "/calendar/" in value.lower():
            line[name] = (_CALENDAR if name == "path" else _CALENDAR_IN_TEXT).sub(r"\1…", value)
    return line


@cache
def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in _SECRET)


def _encode(line: Any, **_options: Any) -> str:
    return msgspec.json.encode(line, enc_hook=repr).decode()
