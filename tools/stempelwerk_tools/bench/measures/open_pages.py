"""How much of a processor open pages take while nothing happens: 500 event streams of twenty companies.

The service is measured for some beats without a page and then for as many with all pages open. The difference is what
the pages cost, of the service and of its database's connections together.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live.hub import BEAT_S
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.work import unit_of_work

from stempelwerk_tools.bench.cpu import Cpu, used
from stempelwerk_tools.bench.crowd import TINY, Crowd
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import EMBEDDED, PRODUCT, Finding, at_most, on
from stempelwerk_tools.bench.measures.size import Filled, filled
from stempelwerk_tools.bench.sides.load import request
from stempelwerk_tools.bench.sides.side import Void

_PAGES = 500
_BEAT = b": still here\n\n"
_OPEN_EVERY_S = BEAT_S / _PAGES  # people open their pages at different times
_LIMIT_S = 10.0


def measure(field: Field, beats: int) -> list[Finding]:
    """Returns the figure of both databases over `beats` beats. Raises Void."""
    findings = []
    for name in (PRODUCT, EMBEDDED):
        data = field.folder / f"pages-{'SQLite' if name == EMBEDDED else 'PostgreSQL'}"
        url = f"sqlite:///{data / 'pages.db'}" if name == EMBEDDED else field.postgres.new_database()
        with filled(field, url, data, TINY) as server:
            tokens = _tokens(url, data, server.crowd)
            idle = _share(server, beats, Pages([]))
            with opened(server.port, tokens) as pages:
                busy = _share(server, beats, pages)
        spent = busy.used_since(idle)
        field.say(f"{name}: {_PAGES} open pages: service {spent.service:.2%}, database {spent.database or 0:.2%}")
        finding = Finding(f"{name}: {_PAGES} open pages, share of a core", at_most(2, "%"), spent.total * 100)
        findings += on(server.ground, [finding])
    return findings


def _tokens(url: str, data: Path, crowd: Crowd) -> list[str]:
    """Opens sessions for the pages, for the people of one company after the other, and returns their tokens."""
    people = [(firm.company_id, user_id) for firm in crowd.firms for user_id in firm.user_ids]
    platform = build_platform(Settings(database_url=url, data_dir=data))
    try:
        with unit_of_work(platform, SYSTEM) as work:
            return [open_session(work, *person, "bench") for person in islice(cycle(people), _PAGES)]
    finally:
        platform.database.dispose()


class Pages:
    """Open connections that read event streams. It counts the beats of each, the stream's regular signs of life."""

    def __init__(self, connections: Sequence[socket.socket]) -> None:
        self._beats = dict.fromkeys(connections, 0)

    @property
    def count(self) -> int:
        """The number of open pages."""
        return len(self._beats)

    def read(self, seconds: float) -> int:
        """Reads for `seconds`. Returns the fewest beats of a page in this time. Raises Void if a stream ends."""
        self._beats = dict.fromkeys(self._beats, 0)
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            for connection in self._beats:
                selector.register(connection, selectors.EVENT_READ)
            while (remaining_s := deadline - time.monotonic()) > 0:
                if not self._beats:
                    time.sleep(remaining_s)
                for key, _ in selector.select(remaining_s) if self._beats else ():
                    self._take(key.fileobj)  # type: ignore[arg-type]
        return min(self._beats.values(), default=0)

    def _take(self, connection: socket.socket) -> None:
        received = connection.recv(65_536)
        if not received or b"\r\n0\r\n" in received:
            raise Void("the service has ended the stream of an open page")
        self._beats[connection] += received.count(_BEAT)


@contextlib.contextmanager
def opened(port: int, tokens: Sequence[str]) -> Iterator[Pages]:
    """Opens a page's stream with each token, one after the other. Raises Void."""
    with contextlib.ExitStack() as stack:
        connections = []
        for token in tokens:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), _LIMIT_S))
            connection.sendall(request("GET", "/api/events", headers={"Authorization": f"Bearer {token}"}))
            received = connection.recv(65_536)
            if not received.startswith(b"HTTP/1.1 200 "):
                raise Void(f"a page's stream was answered {received[:300]!r}")
            connections.append(connection)
            time.sleep(_OPEN_EVERY_S)
        yield Pages(connections)


def _share(server: Filled, beats: int, pages: Pages) -> Cpu:
    """Returns the shares of a processor core that the service and its database use. Raises Void if a page misses a
    beat.
    """
    seconds = beats * BEAT_S
    began, cpu_before = time.monotonic(), used(server.pid, server.engine)
    fewest = pages.read(seconds)
    spent, elapsed = used(server.pid, server.engine).used_since(cpu_before), time.monotonic() - began
    if pages.count and fewest < beats - 1:
        raise Void(f"of {beats} beats an open page has had {fewest}")
    return Cpu(spent.service / elapsed, None if spent.database is None else spent.database / elapsed)
