"""`stempelwerk fleet`: real clocks by the hundred before a running cloud, with people who tap and lines that fail.

Without an address it starts a cloud of its own. Exit status 1 if a stamp is lost, a beat over a whole line got no
answer, or the operator's list did not say within 2 s what was so.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from stempelwerk_tools.fleet.clocks import serial_of
from stempelwerk_tools.fleet.course import Summary, Wish, run
from stempelwerk_tools.fleet.furnishing import Cloud, own_cloud
from stempelwerk_tools.postgres import in_memory

_TOKEN = "FLEET_TOKEN"  # noqa: S105 - the name of a variable


def main(arguments: Sequence[str]) -> int:
    """Run the command; 0 if all was well, 2 if something is missing to begin."""
    parser = argparse.ArgumentParser(prog="stempelwerk fleet", description="Real clocks before a running cloud.")
    parser.add_argument("--clocks", type=int, default=1000, metavar="N", help="how many (1000)")
    parser.add_argument("--people", type=int, default=5, metavar="N", help="who tap at each (5)")
    parser.add_argument("--minutes", type=float, default=2.0, metavar="M", help="how long (2)")
    parser.add_argument("--day", type=float, default=10.0, metavar="M", help="how many minutes a working day has (10)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the people's and the lines' luck (0)")
    parser.add_argument("--steady", action="store_true", help="no line fails")
    parser.add_argument("--restart", action="store_true", help="the own cloud is started anew in the middle")
    parser.add_argument("--postgres", action="store_true", help="the own cloud on PostgreSQL in place of SQLite")
    parser.add_argument("--url", help=f"a cloud that runs; the variable {_TOKEN} holds a session of its operator")
    options = parser.parse_args(arguments)
    token = os.environ.get(_TOKEN, "")
    if options.url and not token:
        print(f"stempelwerk fleet: {_TOKEN} is not set", file=sys.stderr)
        return 2
    if options.url and options.restart:
        parser.error("--restart is for a cloud of the fleet's own")
    wish = Wish(
        options.clocks,
        options.people,
        options.minutes * 60,
        options.day * 60,
        options.seed,
        outages=not options.steady,
        restart=options.restart,
    )
    summary = fly(wish, url=options.url, token=token, postgres=options.postgres)
    print("\n".join(summary.lines()))
    return 0 if summary.good else 1


def fly(wish: Wish, *, url: str | None = None, token: str = "", postgres: bool = False) -> Summary:
    """Run a fleet, told of on stderr."""
    began = time.monotonic()

    def say(line: str) -> None:
        print(f"[{time.monotonic() - began:4.0f} s] {line}", file=sys.stderr, flush=True)

    logging.getLogger("stempelwerk_edge").setLevel(logging.CRITICAL)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stempelwerk-fleet-", dir=in_memory())))
        if url is not None:
            cloud = Cloud(url.rstrip("/"), token)
        else:
            serials = [serial_of(wish.seed, number) for number in range(wish.clocks)]
            say(f"a cloud for {wish.clocks:,} clocks is furnished")
            cloud = stack.enter_context(own_cloud(serials, wish.people, folder, postgres=postgres))
        return asyncio.run(run(cloud, wish, folder, say))
