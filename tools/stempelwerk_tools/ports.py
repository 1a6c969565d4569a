"""Ports of this machine for programs that are started here, perhaps again and again.

A port that was free a moment ago may be taken before a program listens there, and again whenever the program is down.
So this process holds it: bound, and never listening. The system then gives it to no process that asks for any port,
neither to listen nor to call from, but a process that names it with SO_REUSEADDR, as servers do, may listen there.
"""

import contextlib
import socket

HOST = "127.0.0.1"


def reserved_port(count: int = 1) -> int:
    """Returns a port, or the first of `count` consecutive ones, that stays reserved as long as this process lives."""
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
            # Only now: with this option, another process could bind a port that is held in the same way.
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.detach()
        return first
