"""A connection to a mail server that is over at a deadline, whatever is being waited for on it.

The timeout of a socket begins anew with every byte that comes; a server that trickles would hold its thread for long.
Only the resolver is not bounded: finding the server's addresses takes as long as the system lets it.
"""

import contextlib
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator


class Deadline:
    """Connects, and shuts the connection at its end: whoever waits for a word on it hears that there is none."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._watched: tuple[socket.socket, threading.Timer] | None = None

    @property
    def left(self) -> float:
        return self._end - time.monotonic()

    def connected(self, host: str, port: int, timeout: float) -> socket.socket:
        """The connection to the first of the host's addresses that answers. OSError."""
        refused: OSError | None = None
        for _, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            if self.left <= 0:
                break
            try:
                line = socket.create_connection((str(address[0]), port), min(timeout, self.left))
            except OSError as error:
                refused = error
                continue
            line.settimeout(timeout)
            self._watch(line.dup())  # TLS takes the socket away; this one goes on meaning the same connection
            return line
        raise refused or TimeoutError("the time for the connection is over")

    def close(self) -> None:
        if self._watched is not None:
            line, timer = self._watched
            timer.cancel()
            timer.join()
            line.close()

    def _watch(self, line: socket.socket) -> None:
        timer = threading.Timer(max(0.0, self.left), _shut, [line])
        timer.daemon = True
        timer.start()
        self._watched = line, timer


class Connection(smtplib.SMTP):
    """`tls`: speaks it from the beginning. `timeout`: for each word, within the deadline. OSError, SMTPException."""

    def __init__(
        self, host: str, port: int, name: str, *, deadline: Deadline, timeout: float, tls: ssl.SSLContext | None
    ) -> None:
        self._deadline, self._tls = deadline, tls
        super().__init__(host, port, name, timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        line = self._deadline.connected(host, port, timeout)  # where smtplib.SMTP_SSL puts its TLS, too
        return line if self._tls is None else self._tls.wrap_socket(line, server_hostname=host)


@contextlib.contextmanager
def connected(
    host: str, port: int, name: str, *, seconds: float, timeout: float, tls: ssl.SSLContext | None
) -> Iterator[Connection]:
    """A connection for so many seconds in all; `name` is who calls. TimeoutError once they are over."""
    deadline = Deadline(seconds)
    try:
        connection = Connection(host, port, name, deadline=deadline, timeout=timeout, tls=tls)
        try:
            yield connection
        finally:
            with contextlib.suppress(OSError, smtplib.SMTPException, ValueError):  # what was handed over stays so
                connection.quit()
            connection.close()
    except (OSError, smtplib.SMTPException, ValueError) as error:
        if deadline.left <= 0:
            raise TimeoutError(None, f"not done within {seconds:g} s") from error
        raise
    finally:
        deadline.close()


def _shut(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended by itself
        line.shutdown(socket.SHUT_RDWR)
