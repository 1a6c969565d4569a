"""A connection to a mail server that is over at a deadline (`kit/deadline.py`)."""

import contextlib
import smtplib
import socket
import ssl
from collections.abc import Iterator

from stempelwerk_cloud.kit.deadline import Deadline, addresses_of


class Connection(smtplib.SMTP):
    """An SMTP connection with a deadline. `tls`: uses TLS from the beginning. `timeout`: seconds for each answer,
    within the deadline. Raises OSError, SMTPException.
    """

    def __init__(
        self, host: str, port: int, name: str, *, deadline: Deadline, timeout: float, tls: ssl.SSLContext | None
    ) -> None:
        self._deadline, self._tls = deadline, tls
        super().__init__(host, port, name, timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        # where smtplib.SMTP_SSL puts its TLS, too
        line = self._deadline.connected(addresses_of(host, port), timeout)
        return line if self._tls is None else self._tls.wrap_socket(line, server_hostname=host)


@contextlib.contextmanager
def connected(
    host: str, port: int, name: str, *, seconds: float, timeout: float, tls: ssl.SSLContext | None
) -> Iterator[Connection]:
    """Yields a connection that ends after `seconds`; `name` is the client's. Raises TimeoutError then."""
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
        if deadline.remaining_s <= 0:
            raise TimeoutError(None, f"not done within {seconds:g} s") from error
        raise
    finally:
        deadline.close()
