"""Every reading call that the API describes, ready to be sent to an installation full of people.

The calls are those of the description itself, so a new one is here by itself. What stands in a path is filled in by the
thing before it, what must stand in a query by its name. A call that cannot be filled, or that nobody may make, is Void.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from stempelwerk_tools.bench.crowd import Crowd
from stempelwerk_tools.bench.sides.load import Answer, request, run
from stempelwerk_tools.bench.sides.side import Void

_DAY = timedelta(days=1)
_PART = re.compile(r"(\w[\w-]*)/\{(\w+(?:\}/\{\w+)*)\}")
_LIMIT_S = 60


def last_month() -> str:
    """YYYY-MM."""
    return f"{datetime.now(UTC) - 31 * _DAY:%Y-%m}"


_IN_PATH: dict[str, Callable[[Crowd], str]] = {
    "companies": lambda crowd: crowd.company_id,
    "users": lambda crowd: crowd.user_id,
    "devices": lambda crowd: crowd.device_id,
    "clocks": lambda crowd: crowd.device_id,
    "calendar": lambda crowd: crowd.calendar,
    "absences": lambda crowd: crowd.absence_id,
    "time-corrections": lambda crowd: crowd.correction_id,
    "documents": lambda _crowd: "verfahrensdokumentation",
    "exports": lambda crowd: crowd.export_id,
    "export-mails": lambda crowd: crowd.mail_id,
    "months": lambda _: last_month(),
    "metadata": lambda _: "1.root.json",
    "targets": lambda crowd: f"stable/{crowd.update}.wheel.whl",
}
"""By the thing before it: what a parameter of a path may be."""

_IN_QUERY: dict[str, Callable[[], str]] = {
    "from": lambda: (datetime.now(UTC) - 31 * _DAY).date().isoformat(),
    "to": lambda: datetime.now(UTC).date().isoformat(),
    "date": lambda: datetime.now(UTC).date().isoformat(),
    "month": last_month,
    "format": lambda: "csv",
    "year": lambda: f"{datetime.now(UTC):%Y}",
    "kind": lambda: "wish",
    "startDate": lambda: datetime.now(UTC).date().isoformat(),
    "endDate": lambda: datetime.now(UTC).date().isoformat(),
}
"""By its name: what a parameter of a query that must be there may be."""


@dataclass(frozen=True)
class Reading:
    """A call that reads, as the API describes it. `path` has its parameters in braces."""

    path: str
    who: str
    query: tuple[str, ...]
    is_stream: bool

    def __str__(self) -> str:
        return f"GET {self.path}"


def readings(description: dict[str, Any]) -> list[Reading]:
    """The reading calls of an OpenAPI description."""
    return [
        Reading(path, str(calls["get"].get("x-who", "")), _required(calls["get"]), _is_stream(calls["get"]))
        for path, calls in description["paths"].items()
        if "get" in calls
    ]


def _is_stream(call: dict[str, Any]) -> bool:
    return "text/event-stream" in call.get("responses", {}).get("200", {}).get("content", {})


def _required(call: dict[str, Any]) -> tuple[str, ...]:
    """The query's parameters that must be there, and a period wherever one can be."""
    named = [one for one in call.get("parameters", ()) if one["in"] == "query"]
    return tuple(one["name"] for one in named if one.get("required") or one["name"] in ("from", "to"))


def target(reading: Reading, crowd: Crowd) -> str:
    """Path and query, about something that is there. Raises Void."""

    def part(found: re.Match[str]) -> str:
        thing, name = found.groups()
        if thing not in _IN_PATH:
            raise Void(f"{reading}: nobody says what {thing}/{{{name}}} may be")
        return f"{thing}/{_IN_PATH[thing](crowd)}"

    unknown = [name for name in reading.query if name not in _IN_QUERY]
    if unknown:
        raise Void(f"{reading}: nobody says what {unknown[0]} may be")
    path = _PART.sub(part, reading.path)
    if "{" in path:
        raise Void(f"{reading}: nobody says what stands in {path}")
    query = "&".join(f"{name}={_IN_QUERY[name]()}" for name in reading.query)
    return f"{path}?{query}" if query else path


def requests_of(reading: Reading, crowd: Crowd) -> list[bytes]:
    """The call in the name of each who might make it."""
    where = target(reading, crowd)
    if reading.who == "device":
        return [crowd.clocks[0].signed("GET", where, b"")]
    return [request("GET", where, headers={"Authorization": f"Bearer {token}"}) for token in crowd.tokens]


def answered(reading: Reading, crowd: Crowd, port: int) -> tuple[bytes, Answer]:
    """The first of the requests that is let in, and its answer. Raises Void if nobody is."""
    refused = []
    for sent in requests_of(reading, crowd):
        answer = ask(reading, port, sent)
        if answer.status in (200, 204):  # there may be nothing to tell, as to a clock that is current
            return sent, answer
        refused.append(f"{answer.status} {answer.body[:200]!r}")
    raise Void(f"{reading}: {'; '.join(refused)}")


def ask(reading: Reading, port: int, sent: bytes) -> Answer:
    """One answer; of a stream only its head, for it has no end."""
    if not reading.is_stream:
        return run(port, [[sent]]).answers[0][0]
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=_LIMIT_S) as connection:
        connection.sendall(sent)
        received = b""
        while b"\r\n\r\n" not in received and (more := connection.recv(65_536)):
            received += more
    return Answer(int(received[9:12]), received.partition(b"\r\n\r\n")[2], time.perf_counter() - began)
