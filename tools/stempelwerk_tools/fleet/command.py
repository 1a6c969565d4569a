"""`stempelwerk fleet`: real clocks by the hundred before a running cloud, with people who tap and lines that fail.

Without an address it starts a cloud of its own. Exit status 1 if a stamp is lost, a beat over a whole line got no
answer, or the operator's list took more than 2 s to show the truth. With `--release` it rolls a version out instead, in
days that take seconds: 1 if a release that loses taps reached all clocks, if a sound one did not, or if the given
minutes ran out before either.
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
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import structlog

from stempelwerk_tools.fleet.clocks import serial_of
from stempelwerk_tools.fleet.course import Summary, Wish, run
from stempelwerk_tools.fleet.furnishing import Cloud, Report, own_cloud
from stempelwerk_tools.fleet.rollout import Outcome, Release, roll_out
from stempelwerk_tools.postgres import in_memory

_TOKEN = "FLEET_TOKEN"  # noqa: S105 - the name of a variable


def main(arguments: Sequence[str]) -> int:
    """Runs the command; 0 if all was well, 2 if a precondition is missing."""
    parser = argparse.ArgumentParser(prog="stempelwerk fleet", description="Real clocks before a running cloud.")
    parser.add_argument("--clocks", type=int, default=1000, metavar="N", help="how many (1000)")
    parser.add_argument("--people", type=int, default=5, metavar="N", help="who tap at each (5)")
    parser.add_argument("--minutes", type=float, metavar="M", help="how long (2); a release: how long at most")
    parser.add_argument("--day", type=float, default=10.0, metavar="M", help="how many minutes a working day has (10)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the people's and the lines' luck (0)")
    parser.add_argument("--steady", action="store_true", help="no line fails")
    parser.add_argument("--restart", action="store_true", help="the own cloud is started anew in the middle")
    parser.add_argument("--release", metavar="V", help="a release of this version is rolled out instead, in short days")
    parser.add_argument("--losing", type=float, default=0.0, metavar="S", help="it loses this share of the taps (0)")
    parser.add_argument("--postgres", action="store_true", help="the own cloud on PostgreSQL in place of SQLite")
    parser.add_argument("--url", help=f"a cloud that runs; the variable {_TOKEN} holds a session of its operator")
    options = parser.parse_args(arguments)
    if options.release:
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
        if options.url or options.restart or options.postgres:
            parser.error("--release has a cloud of its own, which is in this process")
        within_s = None if options.minutes is None else options.minutes * 60
        planned_release = Release(
            options.release, options.losing, options.clocks, options.people, options.seed, within_s
        )
        try:
            outcome = release(planned_release)
        except TimeoutError:
            print(f"rollout: not at its end after {options.minutes:g} minutes")
            return 1
        print(outcome.line())
        return 0 if is_as_required(planned_release, outcome) else 1
    token = os.environ.get(_TOKEN, "")
    if options.url and not token:
        print(f"stempelwerk fleet: {_TOKEN} is not set", file=sys.stderr)
        return 2
    if options.url and options.restart:
        parser.error("--restart is for a cloud of the fleet's own")
    wish = Wish(
        options.clocks,
        options.people,
        2 * 60 if options.minutes is None else options.minutes * 60,
        options.day * 60,
        options.seed,
        outages=not options.steady,
        restart=options.restart,
    )
    try:
        summary = run_fleet(wish, url=options.url, token=token, postgres=options.postgres)
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        print(f"stempelwerk fleet: {_unreachable(options.url, fault)}", file=sys.stderr)
        return 2
    print("\n".join(summary.lines()))
    return 0 if summary.good else 1


def _unreachable(url: str | None, fault: Exception) -> str:
    """Returns why the cloud cannot be used, in one line."""
    return f"{url or 'its own cloud'} cannot be used ({fault}). Check the address, its certificate and the token."


def release(planned_release: Release) -> Outcome:
    """Rolls a release out, with progress on stderr."""
    with _beginning() as (report, folder):
        return roll_out(planned_release, folder, report)


def is_as_required(planned_release: Release, outcome: Outcome) -> bool:
    """Returns whether a release that loses nothing reached all clocks, and any other stopped before the last stage."""
    if planned_release.losing:
        return outcome.state == "stopped" and outcome.stage < outcome.stages and outcome.updated < outcome.clocks
    return outcome.state == "done" and outcome.updated == outcome.clocks


def run_fleet(wish: Wish, *, url: str | None = None, token: str = "", postgres: bool = False) -> Summary:
    """Runs a fleet, with progress on stderr."""
    with _beginning() as (report, folder), contextlib.ExitStack() as stack:
        if url is not None:
            cloud = Cloud(url.rstrip("/"), token)
        else:
            serials = [serial_of(wish.seed, number) for number in range(wish.clocks)]
            report(f"a cloud for {wish.clocks:,} clocks is being furnished")
            cloud = stack.enter_context(own_cloud(serials, wish.people, folder, report, postgres=postgres))
        return asyncio.run(run(cloud, wish, folder, report))


@contextlib.contextmanager
def _beginning() -> Iterator[tuple[Report, Path]]:
    """Yields a progress reporter and a temporary folder, for the duration of a run."""
    began = time.monotonic()

    def report(line: str) -> None:
        print(f"[{time.monotonic() - began:4.0f} s] {line}", file=sys.stderr, flush=True)

    logging.getLogger("stempelwerk_edge").setLevel(logging.CRITICAL)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="stempelwerk-fleet-", dir=in_memory()) as folder:
        yield report, Path(folder)
