"""The benchmark's own arithmetic and guards: a number that means nothing must not come out of it."""

import json
import socket
import threading

import pytest
from stempelwerk_tools.bench.cpu import Cpu
from stempelwerk_tools.bench.sides import load
from stempelwerk_tools.bench.sides.http_side import HttpSide
from stempelwerk_tools.bench.sides.load import Answer, request
from stempelwerk_tools.bench.sides.side import Slice, Turns, Void, Workload, take_turns

FIFTY = Workload("fifty", clients=2, size=5)
AGAIN = Workload("again", clients=2, size=5, resend=True)


class Server:
    """A store over HTTP that can lose what it acknowledged, and acknowledge less than it got."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.forgets = self.withholds = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._serve, args=(connection,)))
            self._threads[-1].start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            received = b""
            while data := connection.recv(65536):
                received += data
                head, _, body = received.partition(b"\r\n\r\n")
                if len(body) < int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]):
                    continue
                received = b""
                answer = json.dumps(self._merge(json.loads(body))).encode()
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)

    def _merge(self, ids: list[str]) -> int:
        stored_ids = ids[:-1] if self.forgets else ids
        self.ids.update(stored_ids)
        return len(ids) - self.withholds


class StoreSide(HttpSide):
    name = "store"

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server, self.port, self.made = server, server.port, 0

    def durability(self) -> str:
        return "none"

    def prepare(self, client: int, count: int, size: int) -> list[bytes]:
        requests = []
        for _ in range(count):
            self.made += size
            requests.append(request("POST", "/", json.dumps([str(self.made - n) for n in range(size)]).encode()))
        return requests

    def accepted(self, answer: Answer) -> int:
        return int(json.loads(answer.body))

    def rows(self) -> int:
        return len(self.server.ids)


@pytest.fixture
def side():
    server = Server()
    yield StoreSide(server)
    server.close()


def test_every_stamp_of_a_slice_is_counted_once(side):
    turn = side.slice(FIFTY, 0.05)
    assert turn.stamps == len(side.server.ids) > 0
    assert turn.rate > 0
    assert 0 < turn.p50 <= turn.p99


def test_resending_adds_no_rows_and_counts_the_answered_stamps(side):
    turn = side.slice(AGAIN, 0.05)
    assert len(side.server.ids) == 10
    assert turn.stamps > 10


def test_a_missing_row_makes_the_run_void(side):
    side.server.forgets = True
    with pytest.raises(Void, match="rows expected"):
        side.slice(FIFTY, 0.05)


def test_a_missing_acknowledgement_makes_the_run_void(side):
    side.server.withholds = True
    with pytest.raises(Void, match="acknowledged"):
        side.slice(FIFTY, 0.05)


@pytest.mark.parametrize(
    ("received", "answer"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nX: y\r\n\r\nok", (200, b"ok")),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", None),
        (b"HTTP/1.1 200 OK\r\nContent-Le", None),
        (b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1\r\n!\r\n0\r\n\r\n", (201, b"ok!")),
        (b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", None),
        (b"HTTP/1.1 204 No Content\r\n\r\n", (204, b"")),
    ],
)
def test_answers_are_read_whole(received, answer):
    assert load.parse(received) == answer


class CountingSide:
    def __init__(self, name: str, rates: list[float], order: list[str]) -> None:
        self.name, self.rates, self.order = name, iter([1.0, *rates]), order

    def durability(self) -> str:
        return ""

    def slice(self, workload: Workload, seconds: float) -> Slice:
        self.order.append(self.name)
        rate = next(self.rates)
        return Slice(rate, 1 / rate, 1 / rate, 1)


def test_the_order_rotates_and_the_first_round_only_warms_up():
    order: list[str] = []
    sides = [CountingSide("a", [10, 20], order), CountingSide("b", [30, 40], order)]
    turns = take_turns(sides, FIFTY, rounds=2, seconds=0)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert [turn.rate for turn in turns.slices["a"]] == [10, 20]


def test_a_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_medians():
    turns = Turns(FIFTY, {"a": [], "b": []})
    for a_rate, b_rate in ((10, 1), (20, 10), (90, 30)):
        turns.slices["a"].append(Slice(a_rate, 1, 1, 1))
        turns.slices["b"].append(Slice(b_rate, 2, 2, 1))
    assert turns.rate_ratio("a", "b") == 3
    assert turns.p50_ratio("a", "b") == 0.5
    assert turns.rate_ratio("a", "not measured") is None


def test_processor_time_is_compared_a_request_service_and_database_together():
    def one_slice(requests: int, cpu: Cpu | None) -> Slice:
        return Slice(1, 1, 1, 9, requests=requests, cpu=cpu)

    turns = Turns(FIFTY, {"a": [one_slice(10, Cpu(2, 1))] * 2, "c": [one_slice(1, None)]})
    turns.slices["b"] = [one_slice(20, Cpu(1, None)), one_slice(10, Cpu(2, None))]
    assert turns.cpu_ratio("a", "b") == pytest.approx(3)
    assert turns.cpu_ratio("a", "c") is None
    assert turns.cpu_ratio("a", "not measured") is None
