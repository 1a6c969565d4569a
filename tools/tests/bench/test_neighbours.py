"""The measure of neighbours: the requests of a flood, and the ratio of medians."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from stempelwerk_tools.bench.measures.neighbours import Waited, ratio
from stempelwerk_tools.bench.sides.flood import Lane, flood
from stempelwerk_tools.bench.sides.load import request

ANSWER = b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\nno"


class Counter:
    """A service that refuses every request, and knows how many requests each path has had."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._changed = threading.Condition()
        self.counts: dict[str, int] = {}

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(ConnectionError):
            while received := connection.recv(65_536):
                path = received.split(b" ", 2)[1].decode()
                with self._changed:
                    self.counts[path] = self.counts.get(path, 0) + 1
                    self._changed.notify_all()
                connection.sendall(ANSWER)

    def wait_for(self, path: str, count: int) -> None:
        """Waits until the path has had `count` requests."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.counts.get(path, 0) >= count, 60)


@pytest.fixture
def counter() -> Iterator[tuple[int, Counter]]:
    with _listening() as listener:
        counter = Counter(listener)
        threading.Thread(target=counter.serve, daemon=True).start()
        yield listener.getsockname()[1], counter


@contextmanager
def _listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener
        listener.shutdown(socket.SHUT_RDWR)


def test_each_lane_repeats_its_requests_whatever_the_service_answers(counter: tuple[int, Counter]) -> None:
    port, service = counter
    with flood(port, [Lane([request("GET", "/a"), request("GET", "/b")]), Lane([request("GET", "/c")])]):
        for path in ("/a", "/b", "/c"):
            service.wait_for(path, 3)


def test_a_lane_that_does_not_read_sends_one_request_and_holds_its_connection(counter: tuple[int, Counter]) -> None:
    port, service = counter
    with flood(port, [Lane([request("GET", "/slow")], reads=False), Lane([request("GET", "/quick")])]):
        service.wait_for("/slow", 1)
        service.wait_for("/quick", 20)
    assert service.counts["/slow"] == 1


def test_the_ratio_is_that_of_the_medians() -> None:
    alone, beside = Waited([1, 2, 90], [1, 1, 1]), Waited([6, 1, 100], [1, 2, 2])
    assert ratio((alone, beside), "call") == 3
    assert ratio((alone, beside), "stamp") == 2
