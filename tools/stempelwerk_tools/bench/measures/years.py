"""What three and ten years behind a company of 200 people cost its readers, through the calls themselves.

A clock's list of everybody, a month and a year of somebody's account, a month of their times, and the lists that rest
on everybody's leave; and what one tap costs the service when each of the company's ten clocks asks who has changed.
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
_LIST = "a clock's list of everybody"
_MILLI = 1_000
_OF_EVERYBODY = {
    "everybody's accounts of a month": "accounts?month={month}",
    "what is left of everybody's leave": "vacation-notices",
    "a page of requests for leave": "vacation-requests?status=pending",
}
"""Lists of administrators, which read no closed year. Their processor time is compared."""


@dataclass(frozen=True)
class Figures:
    """Milliseconds: of each call at the median, of service's and database's processor for each of the lists that
    administrators read, and of the service's processor for all lists after one tap.
    """

    ground: Ground
    calls: dict[str, float]
    processor: dict[str, float]
    tap: float


def measure(field: Field, people: int, repeats: int) -> tuple[list[Finding], str]:
    """What the goals say, and a table of the calls. Raises Void."""
    found = {}
    for years in _YEARS:
        size = Size(companies=1, people=people, clocks=_CLOCKS, stamps=0, large=people, days=_DAYS, years=years)
        url, data = field.postgres.new_database(), field.folder / f"years-{years}"
        with filled(field, url, data, size) as made:
            found[years] = _figures(made, repeats)
    few, many = (found[years] for years in _YEARS)
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
        Finding(f"one tap, {years} years: the lists of {_CLOCKS} clocks", at_most(10, "ms"), found[years].tap)
        for years in _YEARS
    ]
    return on(f"{few.ground}; {many.ground}", findings), _table(found)


def _figures(made: Filled, repeats: int) -> Figures:
    crowd, now = made.crowd, datetime.now(UTC)
    month, year = f"{now - timedelta(days=now.day):%Y-%m}", f"{now:%Y}"
    own = f"/api/users/{crowd.user_id}"
    asked = {
        "a month's account": f"{own}/account?month={month}",
        "a year's account": f"{own}/account?year={year}",
        "a month of times": f"{own}/times?from={month}-01&to={month}-28",
    }
    headers = {"Authorization": f"Bearer {crowd.tokens[1]}"}
    calls = {name: _median(made.port, request("GET", path, headers=headers), repeats) for name, path in asked.items()}
    company, headers = f"/api/companies/{crowd.company_id}", {"Authorization": f"Bearer {crowd.tokens[0]}"}
    lists = {
        name: request("GET", f"{company}/{path.format(month=month)}", headers=headers)
        for name, path in _OF_EVERYBODY.items()
    }
    processor = {name: _processor(made, sent, repeats) for name, sent in lists.items()}
    calls[_LIST] = statistics.median(_everybody(made, turn) for turn in range(repeats)) * _MILLI
    return Figures(made.ground, calls, processor, _tap(made, repeats))


def _median(port: int, sent: bytes, repeats: int) -> float:
    return statistics.median(_ask(port, sent)[1] for _ in range(repeats)) * _MILLI


def _processor(made: Filled, sent: bytes, repeats: int) -> float:
    _ask(made.port, sent)
    before = used(made.pid, made.engine)
    for _ in range(repeats):
        _ask(made.port, sent)
    return used(made.pid, made.engine).since(before).total / repeats * _MILLI


def _ask(port: int, sent: bytes) -> tuple[bytes, float]:
    answer = run(port, [[sent]]).answers[0][0]
    if answer.status != 200:
        raise Void(f"answered {answer.status}: {answer.body[:300]!r}")
    return answer.body, answer.seconds


def _list(crowd: Crowd, clock: int, held: str | None = None) -> bytes:
    path = "/api/devices/people" + (f"?since={held}" if held else "")
    return crowd.clocks[clock].signed("GET", path, b"")


def _everybody(made: Filled, turn: int) -> float:
    """The list after a tap: one that another clock has just been told would not be read again."""
    _taps(made, turn)
    return _ask(made.port, _list(made.crowd, 0))[1]


def _taps(made: Filled, turn: int) -> None:
    crowd = made.crowd
    clock, tag = crowd.clocks[turn % _CLOCKS], crowd.tags[turn % len(crowd.tags)]
    _ask(made.port, clock.signed("POST", "/api/devices/stamps", clock.batch_of([(tag, datetime.now(UTC))])))


def _tap(made: Filled, taps: int) -> float:
    """One after the other taps, and after each every clock asks once, as its next heartbeat would have it do."""
    crowd = made.crowd
    held = [json.loads(_ask(made.port, _list(crowd, clock))[0])["revision"] for clock in range(_CLOCKS)]
    spent = 0.0
    for tap in range(taps):
        _taps(made, taps + tap)
        asked = [_list(crowd, clock, held[clock]) for clock in range(_CLOCKS)]
        before = used(made.pid, made.engine)
        answers = [json.loads(_ask(made.port, one)[0]) for one in asked]
        spent += used(made.pid, made.engine).since(before).service
        if not all(answer["people"] for answer in answers):
            raise Void("a tap has changed nobody")
        held = [answer["revision"] for answer in answers]
    return spent / taps * _MILLI


def _table(found: dict[int, Figures]) -> str:
    rows = [("ms at the median", *(f"{years} years" for years in found))]
    names = next(iter(found.values())).calls
    rows += [(name, *(f"{one.calls[name]:.1f}" for one in found.values())) for name in names]
    lists = next(iter(found.values())).processor
    rows += [(f"processor: {name}", *(f"{one.processor[name]:.1f}" for one in found.values())) for name in lists]
    rows.append(("processor for all lists after a tap", *(f"{one.tap:.1f}" for one in found.values())))
    return table(rows)
