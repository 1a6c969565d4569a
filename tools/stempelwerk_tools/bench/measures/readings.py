"""Every reading call that the API describes, as our pages make it, ready to be sent to a filled installation.

The calls come from the OpenAPI description, so a new one is included automatically. Path parameters are filled
according to the path segment before them. `SENT` lists the queries that pages send, for each call that takes
parameters. A call that cannot be filled, or that no user may make, raises Void.
"""

from __future__ import annotations

import math
import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from stempelwerk_tools.bench.crowd import Crowd
from stempelwerk_tools.bench.sides.load import TOO_EARLY, Answer, request, retry_after_s, run
from stempelwerk_tools.bench.sides.side import Void

_DAY = timedelta(days=1)
_PART = re.compile(r"(\w[\w-]*)/\{(\w+(?:\}/\{\w+)*)\}")
_LIMIT_S = 60
_FILES = ("data-dump", "/file")
"""Parts of the paths of calls that return a file, whatever its media type."""


def _days() -> dict[str, str]:
    """Returns the days and months that pages ask for, relative to today."""
    today = datetime.now(UTC).date()
    first = today.replace(day=1)
    last = (first + 31 * _DAY).replace(day=1) - _DAY
    ahead = (first + 93 * _DAY).replace(day=1) - _DAY
    dates = {
        "today": today,
        "yesterday": today - _DAY,
        "tomorrow": today + _DAY,
        "month_ago": today - 31 * _DAY,
        "first": first,
        "last": last,
        "monday": _monday(first),  # of the first week that has a day of the month, and the last one's Sunday
        "sunday": _monday(last) + 6 * _DAY,
        "ahead": _monday(ahead) + 6 * _DAY,
        "report_first": first - 183 * _DAY,
        "report_last": last + 183 * _DAY,
    }
    days = {name: day.isoformat() for name, day in dates.items()}
    return days | {"month": f"{today:%Y-%m}", "last_month": f"{first - _DAY:%Y-%m}", "year": f"{today:%Y}"}


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY


def last_month() -> str:
    """Returns last month as YYYY-MM."""
    return _days()["last_month"]


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
"""Values of path parameters, by the path segment before them."""

_IN_QUERY = {
    "from": "{month_ago}",
    "to": "{today}",
    "date": "{today}",
    "month": "{last_month}",
    "format": "csv",
    "year": "{year}",
    "kind": "wish",
    "token": "some",
    "startDate": "{today}",
    "endDate": "{today}",
}
"""Values of required query parameters, by name."""

OF_MONTH, OF_WEEKS = "from={first}&to={last}", "from={monday}&to={sunday}"
_WAITING = ("status=pending", "status=cancel_requested")

_SPAN = "from={month_ago}&to={today}"

SENT: dict[str, tuple[str, ...]] = {
    "/api/alarms": ("open=true", "open=true&limit=100", "open=false&limit=100"),
    "/api/clocks": ("",),
    "/api/closed-companies": ("",),
    "/api/companies": ("",),
    "/api/companies/{companyId}/absences": (
        "status=open",
        f"status=all&{OF_WEEKS}",
        *(f"status={decided}&limit=50" for decided in ("excused", "declined", "cancelled")),
    ),
    "/api/companies/{companyId}/clocks": ("",),
    "/api/companies/{companyId}/compensation-config": ("",),
    "/api/companies/{companyId}/compensation-costs": ("month={month}", "year={year}"),
    "/api/companies/{companyId}/employee-weekly-targets": ("",),
    "/api/companies/{companyId}/free-days": ("year={year}",),
    "/api/companies/{companyId}/schedule": (
        f"{OF_WEEKS}&limit=1500",
        f"{OF_MONTH}&limit=1500",
        "from={yesterday}&to={yesterday}",
    ),
    "/api/companies/{companyId}/schedule/changes": (OF_MONTH,),
    "/api/companies/{companyId}/schedule/days-off": (OF_WEEKS,),
    "/api/companies/{companyId}/schedule/warnings": (OF_WEEKS,),
    "/api/companies/{companyId}/time-corrections": ("status=pending",),
    "/api/companies/{companyId}/users": ("", "deleted=true"),
    "/api/companies/{companyId}/vacation-notices": ("year={year}",),
    "/api/companies/{companyId}/vacation-policy": ("",),
    "/api/companies/{companyId}/vacation-requests": (
        *_WAITING,
        f"status=all&{OF_WEEKS}",
        "status=approved&from={yesterday}&to={today}",
        *(f"status={decided}&limit=50" for decided in ("approved", "declined", "cancelled")),
    ),
    "/api/companies/{companyId}/working-hours-config": ("",),
    "/api/companies/{id}/access-log": (_SPAN,),
    "/api/companies/{id}/accounts": ("month={month}",),
    "/api/companies/{id}/attendance": ("date={today}", "date={yesterday}"),
    "/api/companies/{id}/audit": ("",),
    "/api/companies/{id}/data-dump": ("limit=100",),
    "/api/companies/{id}/device-logs": ("level=all&limit=200&q=", "level=error&limit=200&q=", "q=SW-B-0&limit=20"),
    "/api/companies/{id}/device-logs/stream": ("",),
    "/api/companies/{id}/export-check": ("month={last_month}&format=lodas",),
    "/api/companies/{id}/export-mails": ("",),
    "/api/companies/{id}/exports": ("",),
    "/api/companies/{id}/exports/{exportId}/difference": ("",),
    "/api/companies/{id}/held-stamps": ("",),
    "/api/companies/{id}/inspection": (OF_MONTH,),
    "/api/companies/{id}/review": ("", "limit=100"),
    "/api/companies/{id}/settings": ("",),
    "/api/companies/{id}/support/messages": ("limit=50",),
    "/api/devices": (
        "limit=30&unassigned=true&withdrawn=false",
        "limit=30&unassigned=false&withdrawn=false",
        "limit=30&unassigned=false&withdrawn=true",
        "unassigned=true&q=ABCDEF&limit=10",
    ),
    "/api/devices/people": ("",),
    "/api/devices/{id}/history": ("",),
    "/api/held-stamps": ("",),
    "/api/inquiries": ("",),
    "/api/messages": ("limit=50",),
    "/api/operator-log": ("", "q=gesperrt&limit=50"),
    "/api/support/messages": ("status=open&withLogs=true&logsLimit=100&limit=50",),
    "/api/time-corrections/mine": ("status=pending",),
    "/api/time-corrections/{id}/preview": ("newStart=08:00&newEnd=16:00",),
    "/api/users/{userId}/absences": ("from={report_first}&to={report_last}",),
    "/api/users/{userId}/account": ("month={month}", "month={last_month}", "year={year}"),
    "/api/users/{userId}/bookings": ("",),
    "/api/users/{userId}/employment": ("",),
    "/api/users/{userId}/statement": ("month={last_month}", "month={last_month}&format=pdf"),
    "/api/users/{userId}/times": (OF_MONTH, "from={yesterday}&to={tomorrow}"),
    "/api/users/{userId}/times/stream": ("",),
    "/api/absences/{id}/sick-note": ("",),
    "/api/vacation-requests/mine": ("",),
    "/api/vacation-requests/preview": ("kind=vacation&startDate={first}&endDate={last}",),
}
"""Queries that pages send, by path, one call each. Every call that takes parameters is listed."""

OF_EMPLOYEES: dict[str, str] = {"/api/companies/{companyId}/schedule": "from={monday}&to={ahead}"}
"""Queries that only employees' pages send; the service returns less to employees."""


@dataclass(frozen=True)
class Reading:
    """A reading call as pages make it: `path` has its parameters in braces, `query` its days.

    `wrong`: why the call cannot be made.
    """

    path: str
    audience: str
    query: str = ""
    by_employee: bool = False
    is_stream: bool = False
    is_json: bool = True
    wrong: tuple[str, ...] = ()

    @property
    def call(self) -> str:
        """The path and query with their placeholders, as a name for people."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def is_file(self) -> bool:
        """Whether the answer is a file: not JSON, or JSON that is downloaded as a file. Its user sees the progress."""
        return not self.is_json or "format=pdf" in self.query or any(part in self.path for part in _FILES)

    def __str__(self) -> str:
        return f"GET {self.call}{' (an employee)' if self.by_employee else ''}"


def readings(description: dict[str, Any]) -> list[Reading]:
    """Returns the reading calls of an OpenAPI description."""
    reading_calls = []
    for path, calls in description["paths"].items():
        if (call := calls.get("get")) is None:
            continue
        content = call.get("responses", {}).get("200", {}).get("content", {})
        is_stream, is_json = "text/event-stream" in content, not content or "application/json" in content
        reading = Reading(path, str(call.get("x-who", "")), is_stream=is_stream, is_json=is_json)
        parameters = [parameter for parameter in call.get("parameters", ()) if parameter["in"] == "query"]
        reading_calls += [_sent(reading, parameters, query) for query in SENT.get(path, (None,))]
        if path in OF_EMPLOYEES:
            reading_calls.append(_sent(replace(reading, by_employee=True), parameters, OF_EMPLOYEES[path]))
    return reading_calls


def _sent(reading: Reading, parameters: list[dict[str, Any]], query: str | None) -> Reading:
    """Returns the call with this query; with None, the query has the required parameters and, where possible, a
    period.
    """
    needed = [parameter["name"] for parameter in parameters if parameter.get("required")]
    if query is None:
        names = [parameter["name"] for parameter in parameters if parameter["name"] in (*needed, "from", "to")]
        query = "&".join(f"{name}={_IN_QUERY[name]}" for name in names if name in _IN_QUERY)
    sent = {part.partition("=")[0] for part in query.split("&") if part}
    wrong = [f"nobody says what {name} may be" for name in needed if name not in sent]
    wrong += [f"it takes no {name}" for name in sorted(sent - {parameter["name"] for parameter in parameters})]
    return replace(reading, query=query, wrong=tuple(wrong))


def target(reading: Reading, crowd: Crowd) -> str:
    """Returns path and query, filled with existing ids. Raises Void."""

    def part(match: re.Match[str]) -> str:
        thing, name = match.groups()
        if thing not in _IN_PATH:
            raise Void(f"{reading}: nobody says what {thing}/{{{name}}} may be")
        return f"{thing}/{_IN_PATH[thing](crowd)}"

    for reason in reading.wrong:
        raise Void(f"{reading}: {reason}")
    path = _PART.sub(part, reading.path)
    if "{" in path:
        raise Void(f"{reading}: nobody says what stands in {path}")
    return f"{path}?{reading.query.format(**_days())}" if reading.query else path


def requests_of(reading: Reading, crowd: Crowd) -> list[bytes]:
    """Returns the request bytes of the call, once for each user who might be allowed to make it."""
    where = target(reading, crowd)
    if reading.audience == "device":
        return [crowd.clocks[0].signed("GET", where, b"")]
    tokens = crowd.tokens[1:2] if reading.by_employee else crowd.tokens
    return [request("GET", where, headers={"Authorization": f"Bearer {token}"}) for token in tokens]


def answered(reading: Reading, crowd: Crowd, port: int) -> tuple[bytes, Answer]:
    """Returns the first request that is allowed, and its answer. Raises Void if all are refused."""
    refused = []
    for sent in requests_of(reading, crowd):
        answer = ask(reading, port, sent)
        if answer.status in (200, 204, 303):  # no content, as for a clock that is current; or the way to a page
            return sent, answer
        refused.append(f"{answer.status} {answer.body[:200]!r}")
    raise Void(f"{reading}: {'; '.join(refused)}")


def ask(reading: Reading, port: int, sent: bytes, patience_s: float = math.inf) -> Answer:
    """Sends a request and returns its answer; for a stream only the head, because a stream has no end.

    A call over the rate limit waits and is repeated, unless the wait is longer than `patience_s`.
    """
    while (answer := _request_once(reading, port, sent)).status == TOO_EARLY and 0 < answer.again_s <= patience_s:
        time.sleep(answer.again_s)
    return answer


def _request_once(reading: Reading, port: int, sent: bytes) -> Answer:
    if not reading.is_stream:
        return run(port, [[sent]]).answers[0][0]
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=_LIMIT_S) as connection:
        connection.sendall(sent)
        received = b""
        while b"\r\n\r\n" not in received and (chunk := connection.recv(65_536)):
            received += chunk
    seconds = time.perf_counter() - began
    return Answer(int(received[9:12]), received.partition(b"\r\n\r\n")[2], seconds, retry_after_s(received))
