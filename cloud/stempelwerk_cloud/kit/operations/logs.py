"""Structured logs: one JSON object a line on stderr, with the id of the request.

Secrets never reach a line: paths are logged without their query, bodies and headers not at all, tracebacks without
local variables and without the values of which a database complains, and members with telling names are blanked as a
last resort.
"""

import logging
import re
import sys
from collections.abc import MutableMapping
from functools import cache
from typing import Any, TextIO

import msgspec
import structlog

_VALUES = re.compile(
    r"(\n|\\n)(DETAIL|CONTEXT):.*?"
    r"(?=(?:\n|\\n)(?:HINT:|DETAIL:|CONTEXT:|QUERY:|\[SQL|\(Background|Traceback|The above|During handling)|\n\n|$)",
    re.DOTALL,
)
_SECRET = ("token", "password", "secret", "authorization", "ticket", "cookie")


def configure(level: int = logging.INFO, stream: TextIO | None = None) -> logging.Handler:
    """Makes structlog and the standard library's loggers (uvicorn, alembic) write the same lines to `stream`.

    Returns the handler that writes them; every other one of the root logger is removed.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        blank_secrets,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                leave_values_out,
                structlog.processors.JSONRenderer(serializer=_encode),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    return handler


def blank_secrets(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor that blanks members whose name says that they are secret."""
    for name in line:
        if _is_secret(name):
            line[name] = "…"
    return line


def leave_values_out(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor that cuts out what PostgreSQL tells of rows and parameters beside the sentence of its error."""
    for name, value in line.items():
        if isinstance(value, str) and ("DETAIL:" in value or "CONTEXT:" in value):
            line[name] = _VALUES.sub(r"\1\2: …", value)
    return line


@cache
def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in _SECRET)


def _encode(line: Any, **_options: Any) -> str:
    return msgspec.json.encode(line, enc_hook=repr).decode()
