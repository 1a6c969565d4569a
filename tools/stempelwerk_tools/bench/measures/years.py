"""Costs of three and ten years of history for the readers in a company of 200 people, through the calls themselves.

A clock's list of all people, a month and a year of a person's account, a month of their times, and the lists that
depend on all people's leave; and the cost of one tap for the service when each of the company's ten clocks asks for
changed people.
"""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from stempelwerk_tools.bench.cpu import used
from stempelwerk_tools.bench.crowd import Crowd, Size
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on, table
from stempelwerk_tools.bench.ground import Ground
from stempelwerk_tools.bench.measures.size import Filled, filled
from stempelwerk_tools.bench.sides.load import request, run
from stempelwerk_tools.bench.sides.side import Void

_YEARS = (3, 10)
_CLOCKS, _DAYS = 10, 5
_LIST = "a clock's list of all people"
_MILLI = 1_000
_OF_EVERYBODY = {
    "all people's accounts of a month": "accounts?month={month}",
    "what is left of all people's leave": "vacation-notices",
    "a page of requests for leave": "vacation-requests?status=pending",
}
"""Lists of administrators, which read no closed year. Their processor time is compared."""


@dataclass(frozen=True)
class Figures:
    """The figures of one installation, in milliseconds. `calls`: the median of each call. `processor`: the processor
    time of service and database for each list that administrators read. `tap`: the service's processor time for the
    lists that all clocks request after one tap.
    """

    ground: Ground
    calls: dict[str, float]
    processor: dict[str, float]
    tap: float


def measure(field: Field, people: int, repeats: int) -> tuple[list[Finding], str]:
    """Returns the findings, and a table of the calls. Raises Void."""
    figures_by_years = {}
    for years in _YEARS:
        size = Size(companies=1, people=people, clocks=_CLOCKS, stamps=0, large=people, days=_DAYS, years=years)
        url, data = field.postgres.new_database(), field.folder / f"years-{years}"
        with filled(field, url, data, size) as server:
            figures_by_years[years] = _figures(server, repeats)
    few, many = (figures_by_years[years] for years in _YEARS)
    findings = [Finding(f"{_LIST}, {people} people × {_YEARS[0]} years", at_most(60, "ms"), few.calls[_LIST])]
    findings += [
        Finding(f"{name}: {_YEARS[1]} years against {_YEARS[0]}", at_most(1.5), many.calls[name] / few.calls[name])
        for name in few.calls
    ]
    findings += [
        Finding(f"{name}, processor: {_YEARS[1]} years against {_YEARS[0]}", at_most(1.2), many.processor[name] / spent)
        for name, spent in few.processor.items()
    ]
    findings += [
        Finding(
            f"one tap, {years} years: the lists of {_CLOCKS} clocks", at_most(10, "ms"), figures_by_years[years].tap
        )
        for years in _YEARS
    ]
    return on(f"{few.ground}; {many.ground}", findings), _table(figures_by_years)


def _figures(server: Filled, repeats: int) -> Figures:
    crowd, now = server.crowd, datetime.now(UTC)
    month, year = f"{now - timedelta(days=now.day):%Y-%m}", f"{now:%Y}"
    user_path = f"/api/users/{crowd.user_id}"
    paths = {
        "a month's account": f"{user_path}/account?month={month}",
        "a year's account": f"{user_path}/account?year={year}",
        "a month of times": f"{user_path}/times?from={month}-01&to={month}-28",
    }
    headers = {"Authorization": f"Bearer {crowd.tokens[1]}"}
    calls = {name: _median(server.port, request("GET", path, headers=headers), repeats) for name, path in paths.items()}
    company, headers = f"/api/companies/{crowd.company_id}", {"Authorization": f"Bearer {crowd.tokens[0]}"}
    lists = {
        name: request("GET", f"{company}/{path.format(month=month)}", headers=headers)
        for name, path in _OF_EVERYBODY.items()
    }
    processor = {name: _processor(server, sent, repeats) for name, sent in lists.items()}
    calls[_LIST] = statistics.median(_everybody(server, turn) for turn in range(repeats)) * _MILLI
    return Figures(server.ground, calls, processor, _tap(server, repeats))


def _median(port: int, sent: bytes, repeats: int) -> float:
    return statistics.median(_ask(port, sent)[1] for _ in range(repeats)) * _MILLI


def _processor(server: Filled, sent: bytes, repeats: int) -> float:
    _ask(server.port, sent)
    cpu_before = used(server.pid, server.engine)
    for _ in range(repeats):
        _ask(server.port, sent)
    return used(server.pid, server.engine).used_since(cpu_before).total / repeats * _MILLI


def _ask(port: int, sent: bytes) -> tuple[bytes, float]:
    answer = run(port, [[sent]]).answers[0][0]
    if answer.status != 200:
        raise Void(f"answered {answer.status}: {answer.body[:300]!r}")
    return answer.body, answer.seconds


def _list(crowd: Crowd, clock: int, revision: str | None = None) -> bytes:
    path = "/api/devices/people" + (f"?since={revision}" if revision else "")
    return crowd.clocks[clock].signed("GET", path, b"")


def _everybody(server: Filled, turn: int) -> float:
    """Returns the seconds of the answer with a clock's list of all people. A tap precedes it: without one, the service
    would reuse the list that another clock has just fetched.
    """
    _taps(server, turn)
    return _ask(server.port, _list(server.crowd, 0))[1]


def _taps(server: Filled, turn: int) -> None:
    crowd = server.crowd
    clock, tag = crowd.clocks[turn % _CLOCKS], crowd.tags[turn % len(crowd.tags)]
    _ask(server.port, clock.signed("POST", "/api/devices/stamps", clock.batch_of([(tag, datetime.now(UTC))])))


def _tap(server: Filled, taps: int) -> float:
    """Makes `taps` taps, and after each one request of every clock for the changed people, as after its next heartbeat;
    returns the service's milliseconds of processor time for a tap.
    """
    crowd = server.crowd
    revisions = [json.loads(_ask(server.port, _list(crowd, clock))[0])["revision"] for clock in range(_CLOCKS)]
    spent = 0.0
    for tap in range(taps):
        _taps(server, taps + tap)
        requests = [_list(crowd, clock, revisions[clock]) for clock in range(_CLOCKS)]
        cpu_before = used(server.pid, server.engine)
        answers = [json.loads(_ask(server.port, sent)[0]) for sent in requests]
        spent += used(server.pid, server.engine).used_since(cpu_before).service
        if not all(answer["people"] for answer in answers):
            raise Void("a tap has changed nobody")
        revisions = [answer["revision"] for answer in answers]
    return spent / taps * _MILLI


def _table(figures_by_years: dict[int, Figures]) -> str:
    rows = [("ms at the median", *(f"{years} years" for years in figures_by_years))]
    names = next(iter(figures_by_years.values())).calls
    rows += [(name, *(f"{figures.calls[name]:.1f}" for figures in figures_by_years.values())) for name in names]
    lists = next(iter(figures_by_years.values())).processor
    rows += [
        (f"processor: {name}", *(f"{figures.processor[name]:.1f}" for figures in figures_by_years.values()))
        for name in lists
    ]
    rows.append(
        ("processor for all lists after a tap", *(f"{figures.tap:.1f}" for figures in figures_by_years.values()))
    )
    return table(rows)
