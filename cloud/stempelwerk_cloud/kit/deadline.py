"""A deadline for a network connection: the connection ends then, whatever it is waiting for.

A socket's timeout restarts with every byte; a server that sends single bytes slowly would occupy its thread for long.
Only the resolver is not bounded: finding a host's addresses takes as long as the system lets it.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Sequence

Address = tuple[str, int]
"""An IP address and a port."""


def addresses_of(host: str, port: int) -> list[Address]:
    """Resolves the host, in the resolver's order. OSError."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(str(address[0]), int(address[1])) for _, _, _, _, address in address_infos]


class Deadline:
    """A deadline that begins now. It shuts its connection down after `seconds`, which also ends a pending read."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._watched: tuple[socket.socket, threading.Timer] | None = None

    @property
    def remaining_s(self) -> float:
        return self._end - time.monotonic()

    def connected(self, addresses: Sequence[Address], timeout: float) -> socket.socket:
        """Connects to the first of them that answers. OSError."""
        refused: OSError | None = None
        for address in addresses:
            if self.remaining_s <= 0:
                break
            try:
                line = socket.create_connection(address, min(timeout, self.remaining_s))
            except OSError as error:
                refused = error
                continue
            line.settimeout(timeout)
            self.watch(line)
            return line
        raise refused or TimeoutError("the time for the connection is over")

    def close(self) -> None:
        if self._watched is not None:
            line, timer = self._watched
            timer.cancel()
            timer.join()
            line.close()

    def watch(self, line: socket.socket) -> None:
        """Shuts this connection down at the deadline."""
        duplicate = line.dup()  # TLS takes the socket away; this one goes on meaning the same connection
        timer = threading.Timer(max(0.0, self.remaining_s), _shut, [duplicate])
        timer.daemon = True
        timer.start()
        self._watched = duplicate, timer


def _shut(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended already
        line.shutdown(socket.SHUT_RDWR)
