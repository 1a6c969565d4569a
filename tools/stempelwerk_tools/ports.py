"""Ports of this machine for programs that are started here, perhaps again and again.

A port that was free a moment ago may be anybody's by the time that a program listens there, and once more whenever it
is down. So this process holds it: bound, and never listening. The system then gives it to nobody who asks for any port,
neither to listen nor to call from, and lets listen there who names it and says SO_REUSEADDR, as servers do.
"""

import contextlib
import socket

HOST = "127.0.0.1"


def reserved_port(count: int = 1) -> int:
    """A port, or the first of so many in a row, that nobody else is given for as long as this process lives."""
    with contextlib.ExitStack() as unfinished:
        holders = [unfinished.enter_context(socket.socket()) for _ in range(count)]
        holders[0].bind((HOST, 0))
        first: int = holders[0].getsockname()[1]
        try:
            for number, holder in enumerate(holders[1:], first + 1):
                holder.bind((HOST, number))
        except OSError:
            return reserved_port(count)
        for holder in holders:
            # Only now: with it, a port could be bound that another holds in the same way.
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.detach()
        return first
