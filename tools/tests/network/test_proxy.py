"""The proxy must break exactly what its plan says: a test that relies on a lost answer must really lose one."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import pytest
from stempelwerk_tools.faults.proxy import Fault, FaultyProxy, Plan, proxy_in_thread
from stempelwerk_tools.ports import HOST, reserved_port

PATIENCE_S = 60
MORE_THAN_A_LINE_HOLDS = 1 << 24


@dataclass
class Upstream:
    """Answers each 10 bytes with 'answer' and remembers what it has seen."""

    port: int = 0
    received: list[bytes] = field(default_factory=list)

    def handle(self, connection: socket.socket) -> None:
        with connection:
            while True:
                try:
                    data = connection.recv(10)
                except OSError:
                    return
                if not data:
                    return
                self.received.append(data)
                if len(data) == 10:
                    connection.sendall(b"answer")


@contextmanager
def upstream() -> Iterator[Upstream]:
    server_state = Upstream()
    with socket.create_server((HOST, 0)) as server:
        server_state.port = server.getsockname()[1]
        handlers: list[threading.Thread] = []

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                handlers.append(threading.Thread(target=server_state.handle, args=(connection,)))
                handlers[-1].start()

        acceptor = threading.Thread(target=accept)
        acceptor.start()
        try:
            yield server_state
        finally:
            server.shutdown(socket.SHUT_RDWR)
            acceptor.join()
            for handler in handlers:
                handler.join()


def heard(client: socket.socket) -> bytes:
    """Returns the next bytes; b'' if the connection ends first."""
    try:
        return client.recv(100)
    except ConnectionResetError:
        return b""


def ask(port: int) -> bytes:
    """Makes one exchange on a connection of its own; b'' if the connection ends without an answer."""
    try:
        with socket.create_connection((HOST, port), timeout=PATIENCE_S) as client:
            client.sendall(b"0123456789")
            return heard(client)
    except (ConnectionResetError, BrokenPipeError):
        return b""


def test_without_a_fault_everything_passes():
    with upstream() as server, proxy_in_thread(server.port, Plan) as proxy:
        assert ask(proxy.port) == b"answer"
        assert server.received == [b"0123456789"]


def test_a_lost_answer_is_a_request_that_was_done():
    with upstream() as server, proxy_in_thread(server.port, lambda: Plan(Fault.LOST_ANSWER)) as proxy:
        assert ask(proxy.port) == b""
        assert server.received == [b"0123456789"]


def test_a_reset_reaches_nobody():
    with upstream() as server, proxy_in_thread(server.port, lambda: Plan(Fault.RESET)) as proxy:
        assert ask(proxy.port) == b""
    assert server.received == []


def test_a_cut_request_arrives_in_part():
    with upstream() as server, proxy_in_thread(server.port, lambda: Plan(Fault.CUT_REQUEST, cut_after=4)) as proxy:
        assert ask(proxy.port) == b""
    assert server.received in ([b"0123"], [])  # the reset may overtake the last bytes


def test_a_black_hole_takes_everything_and_answers_nothing():
    with upstream() as server, proxy_in_thread(server.port, lambda: Plan(Fault.BLACK_HOLE)) as proxy:
        with socket.create_connection((HOST, proxy.port), timeout=PATIENCE_S) as client:
            client.sendall(bytes(MORE_THAN_A_LINE_HOLDS))
            client.shutdown(socket.SHUT_WR)
            assert heard(client) == b""  # at its end
        assert proxy.counts[Fault.BLACK_HOLE] == 1
    assert server.received == []


def test_each_exchange_of_one_connection_has_its_own_fault():
    plans = iter([Plan(), Plan(latency_s=0.01), Plan(Fault.LOST_ANSWER)])
    with upstream() as server, proxy_in_thread(server.port, lambda: next(plans)) as proxy:
        with socket.create_connection((HOST, proxy.port), timeout=PATIENCE_S) as client:
            for expected in (b"answer", b"answer", b""):
                client.sendall(b"0123456789")
                assert heard(client) == expected
        assert len(server.received) == 3
        assert proxy.counts[Fault.LOST_ANSWER] == 1


def test_an_upstream_that_is_down_ends_the_connection():
    with proxy_in_thread(reserved_port(), Plan) as proxy:
        assert ask(proxy.port) == b""


@pytest.mark.parametrize("turns", range(12))
def test_a_proxy_that_closes_while_a_connection_is_ending_leaves_it_open_nowhere(turns: int) -> None:
    """The proxy closes `turns` rounds of the event loop after the client has gone."""

    async def run() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(ConnectionError):
                while await reader.read(10):
                    begun.set()
            ended.set()
            writer.close()

        async with await asyncio.start_server(hear, HOST, 0) as server:
            async with FaultyProxy(server.sockets[0].getsockname()[1], Plan) as proxy:
                _, client = await asyncio.open_connection(HOST, proxy.port)
                client.write(b"0123456789")
                await begun.wait()
                client.close()
                for _ in range(turns):
                    await asyncio.sleep(0)
            async with asyncio.timeout(PATIENCE_S):
                await ended.wait()

    asyncio.run(run())
