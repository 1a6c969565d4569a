"""Answer times for a company's administrators: reading calls, their decisions, their roster.

The processor time of an answer, of service and database together, is measured too.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from stempelwerk_cloud.app import create_app

from stempelwerk_tools.bench.cpu import used
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on, table
from stempelwerk_tools.bench.measures import readings
from stempelwerk_tools.bench.measures.office import ApiCall, ask, read
from stempelwerk_tools.bench.measures.size import Filled
from stempelwerk_tools.bench.sides.load import Answer
from stempelwerk_tools.bench.sides.side import Void

_MILLI = 1_000
_ANY = 200
_OTHERS = "any other call of an administrator"
_DUTIES = 1_000


class Goal(NamedTuple):
    """A reading call with a goal of its own, in milliseconds at p95."""

    name: str
    path: str
    limit_ms: float


@dataclass(frozen=True)
class Times:
    """The times of one call in milliseconds: median and 95th percentile of the answer, and processor time for one
    call.
    """

    p50: float
    p95: float
    cpu: float


def measure(field: Field, server: Filled, repeats: int) -> tuple[list[Finding], str]:
    """Returns the findings, and a table of all calls. Raises Void."""
    _pay(server)
    watch = _Watch(server)
    goal_times = {goal.name: watch.measure_calls([ApiCall("GET", goal.path)] * repeats) for goal in _goals()}
    other_times = {path: watch.measure_calls([ApiCall("GET", path)] * (repeats // 2)) for path in _other_paths(server)}
    other_times |= _decisions(server, watch, repeats)
    bulk = _bulk(server, watch, max(3, repeats // 10))
    findings = [
        Finding(f"{goal.name}, p95", at_most(goal.limit_ms, "ms"), goal_times[goal.name].p95) for goal in _goals()
    ]
    slowest = max(other_times, key=lambda path: other_times[path].p95)
    findings.append(Finding(f"{_OTHERS} ({slowest}), p95", at_most(_ANY, "ms"), other_times[slowest].p95))
    findings.append(Finding(f"{_DUTIES:,} duties at once", at_most(1_000, "ms"), bulk.p50))
    return on(server.ground, findings), _table({**goal_times, **other_times, f"{_DUTIES:,} duties at once": bulk})


def _goals() -> list[Goal]:
    year, month = f"{datetime.now(UTC):%Y}", readings.last_month()
    first, last = f"{month}-01", f"{month}-28"
    return [
        Goal("Heute", "{}/today", 100),
        Goal("attendance", "{}/attendance", 100),
        Goal("the roster's month", f"{{}}/schedule?from={first}&to={last}", 100),
        Goal("what a month's export waits for", f"{{}}/export-check?month={month}", 300),
        Goal("a month's costs", f"{{}}/compensation-costs?month={month}", 150),
        Goal("a year's costs", f"{{}}/compensation-costs?year={year}", 600),
    ]


def _pay(server: Filled) -> None:
    """Sets rates that have changed once, and a department for each person, so that the computed costs are realistic."""
    people = [user["id"] for user in read(server, "{}/users")]
    year = datetime.now(UTC).year
    for valid_from, cents in (None, 1_900), (f"{year}-04-01", 2_100):
        rates = {"Werkstatt": cents, "Montage": cents + 200}
        departments = {user_id: list(rates)[number % 2] for number, user_id in enumerate(people)}
        body = {
            "mode": "department",
            "defaultHourlyCents": cents,
            "departmentRates": rates,
            "userDepartments": departments,
        }
        ask(server, ApiCall("PUT", "{}/compensation-config", body | ({"validFrom": valid_from} if valid_from else {})))


def _other_paths(server: Filled) -> list[str]:
    """Returns the paths of all reading calls without a goal of their own that an administrator may make."""
    goal_paths = {goal.path.partition("?")[0] for goal in _goals()}
    paths = []
    for reading in readings.readings(create_app().openapi()):
        path = readings.target(reading, server.crowd).replace(f"/api/companies/{server.crowd.company_id}", "{}")
        if path.partition("?")[0] in goal_paths or reading.is_file:
            continue
        call = ApiCall("GET", path)
        if readings.ask(reading, server.port, call.encode(server)).status == 200:
            paths.append(path)
    if not any(path.startswith("{}/review") for path in paths):
        raise Void("an administrator may not read what is to be looked at")
    return paths


def _decisions(server: Filled, watch: _Watch, repeats: int) -> dict[str, Times]:
    """Measures decisions one after the other, as an administrator makes them in the morning."""
    waiting = read(server, "{}/vacation-requests?status=pending")[:repeats]
    stamped = [entry for entry in read(server, "{}/review?limit=1000") if "missing_out" in entry["flags"]]
    confirm = [
        ApiCall("POST", f"{{}}/review/{entry['entryId']}/confirm", {"flags": entry["flags"], "comment": "stimmt so"})
        for entry in stamped[:repeats]
    ]
    body = {"comment": "Schöne Tage", "overAllowance": True}
    approve = [ApiCall("POST", f"/api/vacation-requests/{request['id']}/approve", body) for request in waiting]
    return {"confirm an entry": watch.measure_calls(confirm), "approve a request": watch.measure_calls(approve)}


def _bulk(server: Filled, watch: _Watch, repeats: int) -> Times:
    """Measures the creation of a thousand duties of next year in one call; they are deleted again, unmeasured."""
    people = [user["id"] for user in read(server, "{}/users") if user["role"] == "user"]
    days = _workdays(date(datetime.now(UTC).year + 1, 2, 1))
    duties = itertools.islice(itertools.product(itertools.islice(days, -(-_DUTIES // len(people))), people), _DUTIES)
    add = [{"date": f"{day}", "userId": user_id, "start": "07:00", "end": "15:30"} for day, user_id in duties]
    span = f"from={add[0]['date']}&to={add[-1]['date']}"

    def remove_duties(_: Answer) -> None:
        ids = [duty["id"] for duty in read(server, f"{{}}/schedule?{span}")]
        if len(ids) != _DUTIES:
            raise Void(f"{len(ids)} duties stand where {_DUTIES} were added")
        ask(server, ApiCall("POST", "{}/schedule/bulk", {"add": [], "remove": ids}))

    return watch.measure_calls(
        [ApiCall("POST", "{}/schedule/bulk", {"add": add, "remove": []})] * repeats, remove_duties
    )


def _workdays(first: date) -> Iterable[date]:
    days = (first + timedelta(days=number) for number in itertools.count())
    return (day for day in days if day.weekday() < 5)


class _Watch:
    """Measures calls: the time of their answers, and the processor time of service and database."""

    def __init__(self, server: Filled) -> None:
        self._server = server

    def measure_calls(self, calls: list[ApiCall], after_each: Callable[[Answer], None] = lambda _: None) -> Times:
        """Measures calls one after the other; `after_each` is called after each, unmeasured."""
        if not calls:
            raise Void("there is nothing to ask for")
        ask(self._server, calls[0]) if calls[0].method == "GET" else None
        seconds, spent = [], 0.0
        for call in calls:
            cpu_before = used(self._server.pid, self._server.engine)
            answer = ask(self._server, call)
            seconds.append(answer.seconds)
            spent += used(self._server.pid, self._server.engine).used_since(cpu_before).total
            after_each(answer)
        seconds.sort()
        p95 = seconds[int(len(seconds) * 0.95)]
        return Times(statistics.median(seconds) * _MILLI, p95 * _MILLI, spent / len(calls) * _MILLI)


def _table(times_by_call: dict[str, Times]) -> str:
    slowest = sorted(times_by_call.items(), key=lambda call_times: -call_times[1].p95)
    cells = [(name, f"{times.p50:,.0f}", f"{times.p95:,.0f}", f"{times.cpu:,.0f}") for name, times in slowest]
    return table([("ms of an answer to an administrator", "p50", "p95", "processors"), *cells])
