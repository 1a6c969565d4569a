"""The notifications for the service manager by sd_notify(3): the agent is ready, alive, about to stop.

It decides nothing and reads nothing but the environment that systemd gives a service; without that, nothing is sent. A
message that does not get through is lost, and costs at worst a start.
"""

import asyncio
import os
import socket
from collections.abc import Mapping
from contextlib import suppress

_PATIENCE_S = 2.0


class ServiceManager:
    """Sends notifications to the service manager's socket, $NOTIFY_SOCKET. Used by one thread only."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._patience_s = _watchdog_s(environment)

    def ready(self) -> None:
        """Announces that taps are taken."""
        self._notify("READY=1")

    def stopping(self) -> None:
        """Announces that the agent is stopping."""
        self._notify("STOPPING=1")

    async def keep_alive(self) -> None:
        """Sends a sign of life twice in each span of the watchdog while the loop runs; returns at once without a
        watchdog.
        """
        while self._patience_s is not None and self._address is not None:
            self._notify("WATCHDOG=1")
            await asyncio.sleep(self._patience_s / 2)

    def _notify(self, message: str) -> None:
        if self._address is None:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            line.settimeout(_PATIENCE_S)
            line.sendto(message.encode(), self._address)


def _address(name: str) -> bytes | None:
    """Returns a path, or an abstract name after "@"; other kinds have no address for a service on the same machine."""
    if name.startswith("@"):
        return b"\0" + os.fsencode(name[1:])
    return os.fsencode(name) if name.startswith("/") else None


def _watchdog_s(environment: Mapping[str, str]) -> float | None:
    """Returns after how long without a sign of life the service is killed; None if this process has no watchdog."""
    span, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID")
    if process not in (None, str(os.getpid())) or not (span.isascii() and span.isdecimal()):
        return None
    return int(span) / 1_000_000 or None
