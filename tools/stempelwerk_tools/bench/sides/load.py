"""Sends prepared HTTP requests as fast as they are answered, from one thread, at the least cost to the machine.

Requests are finished bytes: building and signing them is not measured and not done meanwhile, so every side gets
the same, almost free client. It speaks just enough HTTP/1.1 for the servers measured here: keep-alive, and answers
with a length or in chunks.
"""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

TOO_EARLY = 429
_ANSWER_LIMIT_S = 60
_RETRY_AFTER = re.compile(rb"(?i)\r\nretry-after: *(\d+)")


class BadAnswer(RuntimeError):
    """A server closed the connection, fell silent, or spoke something else than HTTP/1.1."""


@dataclass(frozen=True)
class Answer:
    """One answer and how long it took, from the first byte sent to the last byte received.

    `again_s`: if the request came too early, the seconds after which it may be repeated (Retry-After).
    """

    status: int
    body: bytes
    seconds: float
    again_s: int = 0


@dataclass
class _Client:
    """One connection that sends its requests one after the other."""

    requests: Sequence[bytes]
    connection: socket.socket
    answers: list[Answer] = field(default_factory=list)
    received: bytearray = field(default_factory=bytearray)
    sent_at: float = 0.0

    def send_next(self) -> bool:
        """Sends the next request; returns False if all are sent."""
        if len(self.answers) == len(self.requests):
            return False
        self.sent_at = time.perf_counter()
        self.connection.sendall(self.requests[len(self.answers)])
        return True

    def receive(self) -> bool:
        """Reads the bytes that have arrived; returns whether the answer is complete."""
        data = self.connection.recv(262_144)
        if not data:
            raise BadAnswer(f"connection closed after {bytes(self.received[:300])!r}")
        self.received += data
        answer = parse(self.received)
        if answer is None:
            return False
        status, body = answer
        again_s = retry_after_s(self.received) if status == TOO_EARLY else 0
        self.answers.append(Answer(status, body, time.perf_counter() - self.sent_at, again_s))
        self.received.clear()
        return True


def parse(received: bytes | bytearray) -> tuple[int, bytes] | None:
    """Returns the status and body of a complete answer; None while a part of it is missing."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(received[:end]).lower()
    status = int(head[9:12])
    content = received[end + 4 :]
    position = head.find(b"\r\ncontent-length:")
    if position >= 0:
        length = int(
            head[position + 17 : head.find(b"\r\n", position + 2) if b"\r\n" in head[position + 2 :] else None]
        )
        return (status, bytes(content)) if len(content) >= length else None
    if b"transfer-encoding: chunked" in head:
        return (status, _unchunked(content)) if content.endswith(b"0\r\n\r\n") else None
    return (status, b"")


def retry_after_s(received: bytes | bytearray) -> int:
    """Returns the seconds of an answer's Retry-After header, 0 without one."""
    match = _RETRY_AFTER.search(bytes(received).partition(b"\r\n\r\n")[0])
    return int(match[1]) if match else 0


def _unchunked(data: bytearray | bytes) -> bytes:
    body, position = bytearray(), 0
    while size := int(data[position : (end := data.index(b"\r\n", position))], 16):
        body += data[end + 2 : end + 2 + size]
        position = end + 4 + size
    return bytes(body)


def request(method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
    """Returns a request's bytes; `headers` are added to Content-Type (JSON), Content-Length, and Host unless they name
    one.
    """
    all_headers = {
        "Host": "127.0.0.1",
        "Content-Type": "application/json",
        **(headers or {}),
        "Content-Length": len(body),
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in all_headers.items()), "", ""]
    return "\r\n".join(lines).encode() + body


@dataclass(frozen=True)
class Run:
    """The outcome of one slice: all answers, client by client, and the wall time from the first to the last byte."""

    answers: list[list[Answer]]
    seconds: float


def run(port: int, requests: Sequence[Sequence[bytes]]) -> Run:
    """Sends each list of requests by a client of its own, all clients at once. Raises BadAnswer or OSError."""
    clients = [_Client(client_requests, socket.create_connection(("127.0.0.1", port))) for client_requests in requests]
    waiting = 0
    with selectors.DefaultSelector() as selector:
        try:
            for client in clients:
                client.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                selector.register(client.connection, selectors.EVENT_READ, client)
            began = time.perf_counter()
            waiting = sum(client.send_next() for client in clients)
            while waiting:
                ready = selector.select(_ANSWER_LIMIT_S)
                if not ready:
                    raise BadAnswer(f"no answer within {_ANSWER_LIMIT_S} s")
                for key, _ in ready:
                    client = key.data
                    if client.receive() and not client.send_next():
                        waiting -= 1
            seconds = time.perf_counter() - began
        finally:
            for client in clients:
                client.connection.close()
    return Run([client.answers for client in clients], seconds)
