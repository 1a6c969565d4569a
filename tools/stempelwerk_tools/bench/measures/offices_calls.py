"""How long a company's administrators wait for an answer: reading calls, what they decide, their roster.

Beside the times stands the processor's, of service and database together, for an answer.
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
from stempelwerk_tools.bench.measures.office import Asked, ask, read
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
    most: float


@dataclass(frozen=True)
class Times:
    """Milliseconds: at the median, at p95, and of the processors."""

    p50: float
    p95: float
    cpu: float


def measure(field: Field, made: Filled, repeats: int) -> tuple[list[Finding], str]:
    """What the goals say, and a table of all calls. Raises Void."""
    _pay(made)
    watch = _Watch(made)
    found = {one.name: watch.of([Asked("GET", one.path)] * repeats) for one in _goals()}
    others = {path: watch.of([Asked("GET", path)] * (repeats // 2)) for path in _others(made)}
    others |= _decisions(made, watch, repeats)
    bulk = _bulk(made, watch, max(3, repeats // 10))
    findings = [Finding(f"{one.name}, p95", at_most(one.most, "ms"), found[one.name].p95) for one in _goals()]
    slowest = max(others, key=lambda path: others[path].p95)
    findings.append(Finding(f"{_OTHERS} ({slowest}), p95", at_most(_ANY, "ms"), others[slowest].p95))
    findings.append(Finding(f"{_DUTIES:,} duties at once", at_most(1_000, "ms"), bulk.p50))
    return on(made.ground, findings), _table({**found, **others, f"{_DUTIES:,} duties at once": bulk})


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


def _pay(made: Filled) -> None:
    """Rates that have changed and a department for each, so that costs are made of something."""
    people = [one["id"] for one in read(made, "{}/users")]
    year = datetime.now(UTC).year
    for since, cents in (None, 1_900), (f"{year}-04-01", 2_100):
        rates = {"Werkstatt": cents, "Montage": cents + 200}
        named = {one: list(rates)[number % 2] for number, one in enumerate(people)}
        body = {"mode": "department", "defaultHourlyCents": cents, "departmentRates": rates, "userDepartments": named}
        ask(made, Asked("PUT", "{}/compensation-config", body | ({"validFrom": since} if since else {})))


def _others(made: Filled) -> list[str]:
    """Every other reading call that the API describes and an administrator may make."""
    own = {one.path.partition("?")[0] for one in _goals()}
    found = []
    for reading in readings.readings(create_app().openapi()):
        path = readings.target(reading, made.crowd).replace(f"/api/companies/{made.crowd.company_id}", "{}")
        if path.partition("?")[0] in own or reading.is_file:
            continue
        asked = Asked("GET", path)
        if readings.ask(reading, made.port, asked.of(made)).status == 200:
            found.append(path)
    if not any(path.startswith("{}/review") for path in found):
        raise Void("an administrator may not read what is to be looked at")
    return found


def _decisions(made: Filled, watch: _Watch, repeats: int) -> dict[str, Times]:
    """One after the other, as somebody who settles a morning's."""
    waiting = read(made, "{}/vacation-requests?status=pending")[:repeats]
    stamped = [one for one in read(made, "{}/review?limit=1000") if "missing_out" in one["flags"]]
    confirm = [
        Asked("POST", f"{{}}/review/{one['entryId']}/confirm", {"flags": one["flags"], "comment": "stimmt so"})
        for one in stamped[:repeats]
    ]
    body = {"comment": "Schöne Tage", "overAllowance": True}
    approve = [Asked("POST", f"/api/vacation-requests/{one['id']}/approve", body) for one in waiting]
    return {"confirm an entry": watch.of(confirm), "approve a request": watch.of(approve)}


def _bulk(made: Filled, watch: _Watch, repeats: int) -> Times:
    """A thousand duties of next year, which are taken away again."""
    people = [one["id"] for one in read(made, "{}/users") if one["role"] == "user"]
    days = _workdays(date(datetime.now(UTC).year + 1, 2, 1))
    wanted = itertools.islice(itertools.product(itertools.islice(days, -(-_DUTIES // len(people))), people), _DUTIES)
    add = [{"date": f"{day}", "userId": who, "start": "07:00", "end": "15:30"} for day, who in wanted]
    span = f"from={add[0]['date']}&to={add[-1]['date']}"

    def gone(_: Answer) -> None:
        ids = [one["id"] for one in read(made, f"{{}}/schedule?{span}")]
        if len(ids) != _DUTIES:
            raise Void(f"{len(ids)} duties stand where {_DUTIES} were added")
        ask(made, Asked("POST", "{}/schedule/bulk", {"add": [], "remove": ids}))

    return watch.of([Asked("POST", "{}/schedule/bulk", {"add": add, "remove": []})] * repeats, gone)


def _workdays(first: date) -> Iterable[date]:
    days = (first + timedelta(days=number) for number in itertools.count())
    return (day for day in days if day.weekday() < 5)


class _Watch:
    """Times calls, and what they cost."""

    def __init__(self, made: Filled) -> None:
        self._made = made

    def of(self, calls: list[Asked], after: Callable[[Answer], None] = lambda _: None) -> Times:
        """One after the other; `after` each, unwatched, something else."""
        if not calls:
            raise Void("there is nothing to ask for")
        ask(self._made, calls[0]) if calls[0].method == "GET" else None
        seconds, spent = [], 0.0
        for asked in calls:
            before = used(self._made.pid, self._made.engine)
            answer = ask(self._made, asked)
            seconds.append(answer.seconds)
            spent += used(self._made.pid, self._made.engine).since(before).total
            after(answer)
        seconds.sort()
        p95 = seconds[int(len(seconds) * 0.95)]
        return Times(statistics.median(seconds) * _MILLI, p95 * _MILLI, spent / len(calls) * _MILLI)


def _table(found: dict[str, Times]) -> str:
    slowest = sorted(found.items(), key=lambda one: -one[1].p95)
    cells = [(name, f"{one.p50:,.0f}", f"{one.p95:,.0f}", f"{one.cpu:,.0f}") for name, one in slowest]
    return table([("ms of an answer to an administrator", "p50", "p95", "processors"), *cells])
