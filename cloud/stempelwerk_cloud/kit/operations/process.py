"""This process as the system sees it: its limit of open files, and its state as systemd learns it.

Each connection takes a file. Units of Type=notify read the state (sd_notify(3)) as a datagram to the socket that they
name; without such a socket nothing happens. Deliberately not here: the watchdog, and handing sockets over.
"""

import os
import resource
import socket

import structlog


def raise_file_limit() -> None:
    """Raises the limit of this process to what the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def half_of_files(at_most: int) -> int:
    """Returns half of the files that the process may open, at most `at_most`."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return at_most if soft == resource.RLIM_INFINITY else min(at_most, soft // 2)


READY = "READY=1"
STOPPING = "STOPPING=1"
_VARIABLE = "NOTIFY_SOCKET"

log = structlog.get_logger(__name__)


class Notifier:
    """`address`: a path, or an abstract one that begins with "@"; None: reports are dropped."""

    def __init__(self, address: str | None) -> None:
        self._address = address

    def tell(self, state: str) -> None:
        """Reports the state. A failure is only logged: the service works without it."""
        if not self._address:
            return
        address = self._address
        if address.startswith("@"):
            address = "\0" + address[1:]
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
                sending.sendto(state.encode(), address)
        except OSError as error:
            log.warning("systemd_not_told", state=state, error=str(error))


def take_over() -> Notifier:
    """Returns the notifier of this process: its child processes do not get the socket."""
    return Notifier(os.environ.pop(_VARIABLE, None))
