"""Tells systemd how the service is, as units of Type=notify want it (sd_notify(3)): a datagram to the socket it names.

Without such a socket nothing happens. Deliberately not here: the watchdog, and handing sockets over.
"""

import os
import socket

import structlog

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
