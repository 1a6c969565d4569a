"""Whether a version on trial works: everything that a clock must be able to do, for a while without a break.

It says yes or nothing: a version that does not get there is ended by the launcher's alarm.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.ports import Connection, Ids, ReaderState
from stempelwerk_edge.settings import Settings
from stempelwerk_edge.storage.stores import Stores

log = logging.getLogger(__name__)

HOLD_S = 120.0  # long enough for one that eats memory to have eaten it
_EVERY_S = 5.0
_PATIENCE_S = 5.0
_SELF_TEST = "self_test"

Check = Callable[[], Awaitable[bool]]


async def proven(checks: dict[str, Check], hold_s: float = HOLD_S) -> None:
    """Return once all checks have held for `hold_s` seconds, look upon look."""
    held, loop = 0.0, asyncio.get_running_loop()
    while True:
        began = loop.time()
        failing = [name for name, check in checks.items() if not await check()]
        if failing:
            log.warning("on trial: not well yet: %s", ", ".join(failing))
            held = 0.0
        elif held >= hold_s:
            return
        await asyncio.sleep(_EVERY_S)
        held += 0.0 if failing else loop.time() - began


def writes_and_reads(stores: Stores, ids: Ids) -> Check:
    """The journal is open, and a row that is written is read."""

    async def check() -> bool:
        token = ids.nonce()
        try:
            stores.state.put(_SELF_TEST, token)
            return stores.state.get(_SELF_TEST) == token and stores.journal.fault is None
        except JournalError:
            return False

    return check


def reader_answers(state: Callable[[], ReaderState], before: str) -> Check:
    """The reader answers, if it did for the version before."""

    async def check() -> bool:
        return state() == "ok" or before != "ok"

    return check


def screen_is_up(host: str, port: int) -> Check:
    """The touchscreen's page, or its events where there is none, is answered."""

    async def check() -> bool:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                reader, writer = await asyncio.open_connection(host, port)
                try:
                    writer.write(f"GET / HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())
                    return (await reader.readline()).startswith(b"HTTP/")
                finally:
                    writer.close()
        return False

    return check


def cloud_is_reached(settings: Settings, connection: Callable[[], Connection | None]) -> Check:
    """The cloud answers, or nobody on this machine could reach it now: then it is not the version's fault."""
    address = urlsplit(settings.cloud.proxy or settings.cloud.url)
    host, port = address.hostname or "", address.port or (443 if address.scheme == "https" else 80)

    async def check() -> bool:
        found = connection()
        return found is not None and (found != "offline" or not await asyncio.to_thread(_connects, host, port))

    return check


def _connects(host: str, port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=_PATIENCE_S):
        return True
    return False
