"""The measure of open pages: each page's beats are counted, and a page whose stream ends spoils the run."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from stempelwerk_tools.bench.measures.open_pages import Pages, opened
from stempelwerk_tools.bench.sides.side import Void

BEAT = b"f\r\n: still here\n\n\r\n"


@pytest.fixture
def pairs() -> Iterator[list[tuple[socket.socket, socket.socket]]]:
    """Two pages' connections, each with the service's side."""
    with ExitStack() as stack:
        sockets = [socket.socketpair() for _ in range(2)]
        for pair in sockets:
            for side in pair:
                stack.enter_context(side)
        yield sockets


def test_the_page_with_the_fewest_beats_counts(pairs):
    (first, service), (second, slower) = pairs
    service.sendall(BEAT * 3)
    slower.sendall(BEAT)
    pages = Pages([first, second])
    assert pages.count == 2
    assert pages.read(0.1) == 1
    service.sendall(BEAT)
    assert pages.read(0.1) == 0


@pytest.mark.parametrize("end", [b"0\r\n\r\n", None])
def test_a_stream_that_ends_is_void(pairs, end):
    (first, service), _ = pairs
    service.sendall(BEAT + (end or b""))
    if end is None:
        service.close()
    with pytest.raises(Void, match="ended"):
        Pages([first]).read(5)


def test_without_a_page_the_time_passes():
    assert Pages([]).read(0.01) == 0


@pytest.mark.parametrize(("status", "refused"), [(b"200 OK", False), (b"429 Too Many Requests", True)])
def test_a_page_that_is_refused_is_void(monkeypatch, status, refused):
    monkeypatch.setattr("stempelwerk_tools.bench.measures.open_pages._OPEN_EVERY_S", 0)
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as stack:

        def serve() -> None:
            for _ in range(1 if refused else 2):
                connection, _ = listener.accept()
                stack.enter_context(connection)
                assert b"Bearer token" in connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 " + status + b"\r\n\r\n")

        serving = threading.Thread(target=serve)
        serving.start()
        port = listener.getsockname()[1]
        if refused:
            with pytest.raises(Void, match="429"), opened(port, ["token", "token"]):
                pass
        else:
            with opened(port, ["token", "token"]) as pages:
                assert pages.count == 2
        serving.join(60)
