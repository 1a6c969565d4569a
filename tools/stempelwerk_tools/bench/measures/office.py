"""The company whose administrators are measured: 200 people with years of history, at work today, on PostgreSQL.

A second company of the same size, without those years, is there for measuring how work of one delays the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from stempelwerk_tools.bench.crowd import Size
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.measures.size import Filled, filled
from stempelwerk_tools.bench.sides.load import Answer, request, run
from stempelwerk_tools.bench.sides.side import Void

_MISSING_EVERY = 10
_BATCH = 500


def size_of(people: int, days: int) -> Size:
    """Returns the size of two such companies with a clock for twenty people; the other company has twenty days of
    work.
    """
    stamps = 2 * people * (days + 20)
    return Size(companies=2, people=2 * people, clocks=people // 10, stamps=stamps, large=people, days=days, years=2)


def office(field: Field, size: Size) -> Filled:
    """Returns the company, where most people have come this morning; it is made at the first call."""
    return field.once("office", lambda: _at_work(field, size))


@contextmanager
def _at_work(field: Field, size: Size) -> Iterator[Filled]:
    field.say(f"filling: a company of {size.large} people")
    with filled(field, field.postgres.new_database(), field.folder / "office", size) as server:
        came = datetime.now(UTC) - timedelta(minutes=5)
        tap(server, [(tag, came) for number, tag in enumerate(server.crowd.tags) if number % _MISSING_EVERY])
        yield server


def tap(server: Filled, taps: list[tuple[str, datetime]]) -> None:
    """Delivers taps of these tags at these times by the company's first clock."""
    clock = server.crowd.clocks[0]
    for place in range(0, len(taps), _BATCH):
        body = clock.batch_of(taps[place : place + _BATCH])
        expect(run(server.port, [[clock.signed("POST", "/api/devices/stamps", body)]]).answers[0][0])


class ApiCall(NamedTuple):
    """A call in the name of the company's administrator. `path` has the company as `{}`."""

    method: str
    path: str
    body: Any = None

    def encode(self, server: Filled, token: int = 0) -> bytes:
        """Returns the bytes of the call's request, with the session token of this number."""
        body = b"" if self.body is None else json.dumps(self.body).encode()
        path = self.path.replace("{}", f"/api/companies/{server.crowd.company_id}")
        return request(self.method, path, body, {"Authorization": f"Bearer {server.crowd.tokens[token]}"})


def ask(server: Filled, call: ApiCall, token: int = 0) -> Answer:
    """Makes the call and returns its successful answer. Raises Void for any other answer."""
    return expect(run(server.port, [[call.encode(server, token)]]).answers[0][0], call)


def read(server: Filled, path: str) -> Any:
    """Returns the JSON of a reading call."""
    return json.loads(ask(server, ApiCall("GET", path)).body)


def expect(answer: Answer, of: ApiCall | None = None) -> Answer:
    """Returns the answer if it is a success, else raises Void."""
    if answer.status not in range(200, 300):
        raise Void(f"{of and of.path}: answered {answer.status}: {answer.body[:300]!r}")
    return answer
