"""Connections of one address: a fixed number, while all others are answered."""

import asyncio
import gc
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from ipaddress import ip_network
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.http import addresses
from stempelwerk_cloud.kit.limits import connections
from stempelwerk_cloud.kit.limits.connections import ConnectionLimiter
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from cloud.tests.waiting import until

CLIENT, NEIGHBOUR = "127.0.0.1", "127.0.0.2"


@pytest.fixture(autouse=True)
def _everybody_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts loopback, from where all test clients connect."""
    monkeypatch.setattr(addresses, "LOOPBACK", ())


@contextmanager
def _serving(counting: ConnectionLimiter, keep_alive_s: int = 1, answer: bytes = b"gut") -> Iterator[int]:
    """Runs a service that answers everything; yields its port."""
    application, protocol = PlainTextResponse(answer), connections.protocol(counting)
    how = {"lifespan": "off", "log_config": None, "timeout_keep_alive": keep_alive_s}
    server = uvicorn.Server(uvicorn.Config(application, http=protocol, **how))  # type: ignore[arg-type]
    with socket.create_server((CLIENT, 0), backlog=1000) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def _connected(port: int, address: str = CLIENT) -> Iterator[socket.socket]:
    with socket.create_connection((CLIENT, port), timeout=60, source_address=(address, 0)) as connection:
        yield connection


def _answer(connection: socket.socket) -> bytes:
    connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
    return _read_all(connection)


def _read_all(connection: socket.socket) -> bytes:
    """Reads to the end."""
    return b"".join(iter(lambda: connection.recv(4096), b""))


@pytest.mark.parametrize(
    ("begun", "later_bytes", "answered"),
    [
        (b"", b"", False),
        (b"GET / HT", b"TP", False),
        (b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n", b"the", True),
    ],
    ids=["nothing", "half a head", "a body that was answered before it was whole"],
)
def test_a_connection_by_which_nothing_is_asked_any_more_is_closed(
    begun: bytes, later_bytes: bytes, *, answered: bool
) -> None:
    with _serving(ConnectionLimiter(10, ())) as port, _connected(port) as connection:
        connection.sendall(begun)
        response = b""
        while answered and not response.endswith(b"gut"):
            response += connection.recv(4096)
        connection.sendall(later_bytes)
        assert _read_all(connection) == b""  # no answer, and the end


def _live_protocols(but: Sequence[HttpToolsProtocol] = ()) -> list[HttpToolsProtocol]:
    """Returns the protocols in memory, except those in `but`."""
    gc.collect()
    protocols = [candidate for candidate in gc.get_objects() if isinstance(candidate, HttpToolsProtocol)]
    return [protocol for protocol in protocols if not any(protocol is ignored for ignored in but)]


def test_a_connection_lost_in_the_middle_of_an_answered_body_is_forgotten() -> None:
    protocols_before = _live_protocols()
    with _serving(ConnectionLimiter(10, ()), keep_alive_s=3600) as port:
        with _connected(port) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\nthe")
            response = b""
            while not response.endswith(b"gut"):
                response += connection.recv(4096)
            assert len(_live_protocols(but=protocols_before)) == 1
            connection.sendall(b"more")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        until(lambda: not _live_protocols(but=protocols_before))


@pytest.mark.parametrize(
    "later_text", ["", "Connection: close\r\n"], ids=["a connection that is kept", "one that closes"]
)
def test_a_client_that_reads_nothing_of_its_answer_keeps_no_connection(
    later_text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNREAD_S", 0.1)
    counting = ConnectionLimiter(10, ())
    with _serving(counting, answer=bytes(20_000_000)) as port, _connected(port) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: here\r\n{later_text}\r\n".encode())
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
        until(lambda: not counting._open)


class _Transport(asyncio.Transport):
    """A connection with `unread` bytes waiting for the client."""

    unread, is_aborted = 0, False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        self.is_aborted = True


class _Loop(asyncio.SelectorEventLoop):
    """An event loop with a stopped clock. `due`: the scheduled callbacks."""

    def __init__(self) -> None:
        super().__init__()
        self.due: list[Callable[[], object]] = []

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any, **_: Any) -> asyncio.TimerHandle:
        self.due.append(partial(callback, *args))
        return super().call_later(delay, callback, *args)

    def look(self) -> None:
        self.due.pop()()


def test_a_client_that_reads_slowly_is_given_up_only_once_it_stops() -> None:
    config = uvicorn.Config(PlainTextResponse("gut"), log_config=None)
    config.load()
    with closing(_Loop()) as loop:
        transport = _Transport()
        protocol = connections.protocol(ConnectionLimiter(10, ()))(config, ServerState(), {}, loop)  # type: ignore[call-arg]
        protocol.connection_made(transport)
        for unread in (0, 0, 9000, 8000, 1000):
            transport.unread = unread
            loop.look()
        for _ in range(3):  # the same size repeatedly, and all of it read in between
            protocol.pause_writing()  # type: ignore[attr-defined]
            protocol.resume_writing()  # type: ignore[attr-defined]
            loop.look()
        assert not transport.is_aborted
        loop.look()
        assert transport.is_aborted


def test_the_201st_connection_is_refused_at_once_while_another_address_is_answered() -> None:
    limit = Settings().max_connections
    assert limit == 200
    with _serving(ConnectionLimiter(limit, ())) as port, ExitStack() as stack:
        # They send no request: an open connection is enough.
        last = [stack.enter_context(_connected(port)) for _ in range(limit)][-1]
        with _connected(port) as refused:
            head, _, body = _read_all(refused).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert json.loads(body)["message"].startswith("Von dieser Adresse kommen gerade zu viele Verbindungen.")
        with _connected(port, NEIGHBOUR) as neighbour:
            assert _answer(neighbour).startswith(b"HTTP/1.1 200 ")
        assert _answer(last).startswith(b"HTTP/1.1 200 ")


def test_a_closed_connection_makes_room_and_a_refused_one_takes_none() -> None:
    counting = ConnectionLimiter(1, ())
    with _serving(counting) as port:
        with _connected(port) as first:
            until(lambda: bool(counting._open))
            for _ in range(3):
                with _connected(port) as refused:
                    assert _read_all(refused).startswith(b"HTTP/1.1 429 ")
            until(lambda: counting._open == {CLIENT: 1})
            assert _answer(first).startswith(b"HTTP/1.1 200 ")
        until(lambda: not counting._open)
        with _connected(port) as next_one:
            assert _answer(next_one).startswith(b"HTTP/1.1 200 ")


def test_neither_this_machine_nor_a_trusted_proxy_is_counted_and_a_customers_network_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    counting = ConnectionLimiter(1, (ip_network("10.1.0.0/16"), ip_network("2001:db8::/64")))
    for host in (
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "10.1.2.3",
        "::ffff:10.1.2.3",
        "2001:db8::7",
        "",
        None,
        "file",
    ):
        assert counting.client_bucket(host) is None, host
    assert counting.client_bucket("203.0.113.9") == counting.client_bucket("::ffff:203.0.113.9") == "203.0.113.9"
    assert counting.client_bucket("2001:db8:1:2::3") == counting.client_bucket("2001:db8:1:2:ffff::4")
