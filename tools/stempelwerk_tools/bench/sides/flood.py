"""A client that sends requests in loops and ignores the answers: `python -m …flood PORT`, lanes at stdin.

Each line of stdin is one lane: `{"requests": [base64, …], "reads": bool}`. A lane has a connection of its own, repeats
its requests, and reconnects when the service closes. A lane that does not read leaves its answer in the socket, as a
slow reader does. The flood prints "begun" once each lane has sent something, and ends with its stdin.
"""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from socket import create_connection, socket

from stempelwerk_tools.bench.sides.load import parse

_TIMEOUT_S = 120.0
_CONNECT_AGAIN_S = 0.05


@dataclass(frozen=True)
class Lane:
    """The requests of one connection. `reads`: whether the client reads the answers."""

    requests: Sequence[bytes]
    reads: bool = True


@contextlib.contextmanager
def flood(port: int, lanes: Sequence[Lane]) -> Iterator[None]:
    """Floods the service from a process of its own for as long as the block lasts."""
    command = [sys.executable, "-m", __name__, str(port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for lane in lanes:
                requests = [base64.b64encode(request).decode() for request in lane.requests]
                process.stdin.write(json.dumps({"requests": requests, "reads": lane.reads}).encode() + b"\n")
            process.stdin.write(b"\n")
            process.stdin.flush()
            process.stdout.readline()
            yield
        finally:
            process.kill()


def _send(port: int, lane: Lane, begun: threading.Barrier) -> None:
    first = True
    while True:
        with contextlib.suppress(OSError), create_connection(("127.0.0.1", port), _TIMEOUT_S) as connection:
            for request in _repeat(lane):
                connection.sendall(request)
                if first:
                    begun.wait()
                    first = False
                if not lane.reads:
                    time.sleep(_TIMEOUT_S)
                elif not _answered(connection):
                    break
        time.sleep(_CONNECT_AGAIN_S)


def _repeat(lane: Lane) -> Iterator[bytes]:
    while True:
        yield from lane.requests


def _answered(connection: socket) -> bool:
    """Reads one answer; returns False if the service has closed the connection."""
    received = bytearray()
    while parse(received) is None:
        data = connection.recv(262_144)
        if not data:
            return False
        received += data
    return True


def main() -> None:
    lanes = []
    for line in iter(sys.stdin.readline, "\n"):
        lane_json = json.loads(line)
        lanes.append(Lane([base64.b64decode(request) for request in lane_json["requests"]], lane_json["reads"]))
    begun = threading.Barrier(len(lanes) + 1)
    for lane in lanes:
        threading.Thread(target=_send, args=(int(sys.argv[1]), lane, begun), daemon=True).start()
    begun.wait()
    print("begun", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
