"""Waiting times of others while one administrator loads the heaviest page again and again, from one process.

A page is its calls, all at once. The heaviest is the one whose calls took longest when measured one by one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from stempelwerk_tools.bench.crowd import Crowd
from stempelwerk_tools.bench.goals import Finding, at_most, table
from stempelwerk_tools.bench.measures.readings import OF_MONTH, OF_WEEKS, Reading, requests_of
from stempelwerk_tools.bench.sides.load import Answer, run
from stempelwerk_tools.bench.sides.side import Void

_MILLI = 1_000
_PLAN, _OWN = "/api/companies/{companyId}", "/api/companies/{id}"
PAGES: dict[str, tuple[str, ...]] = {
    "Planung": (
        f"{_PLAN}/schedule?{OF_WEEKS}&limit=1500",
        f"{_PLAN}/users",
        f"{_PLAN}/schedule/warnings?{OF_WEEKS}",
        f"{_PLAN}/schedule/changes?{OF_MONTH}",
        f"{_PLAN}/vacation-requests?status=all&{OF_WEEKS}",
        f"{_PLAN}/absences?status=all&{OF_WEEKS}",
        f"{_PLAN}/schedule/days-off?{OF_WEEKS}",
        f"{_PLAN}/closures",
    ),
    "Zeitkonten": (f"{_OWN}/accounts?month={{month}}",),
    "Monatsabschluss": (f"{_OWN}/export-check?month={{last_month}}&format=lodas", f"{_PLAN}/users", f"{_OWN}/exports"),
    "Urlaubsjahr": (f"{_PLAN}/vacation-notices?year={{year}}", f"{_PLAN}/closures", f"{_PLAN}/vacation-policy"),
    "Kosten": (f"{_PLAN}/compensation-costs?month={{month}}", f"{_PLAN}/compensation-costs?year={{year}}"),
    "Heute": (f"{_OWN}/today", f"{_OWN}/held-stamps", f"{_OWN}/review?limit=100"),
    "Anwesenheit": (f"{_OWN}/attendance?date={{today}}",),
}
"""The calls of an administrator's page, in the form of `Reading.call`."""

OTHERS = (
    f"/api/users/{{userId}}/times?{OF_MONTH}",
    "/api/users/{userId}/account?month={month}",
    "/api/messages?limit=50",
    "/api/vacation-requests/mine",
    "/api/vacation-policy/mine",
    "/api/schedule/my-swap-requests",
)
"""The calls of an employee's pages."""

WINDOW_S = 60
"""The seconds after which the earlier requests of both users no longer count towards the rate limits."""

GOALS = {"an employee's call": 50, "a stamp": 60}


def measure(port: int, crowd: Crowd, p50s: dict[Reading, float], repeats: int) -> tuple[list[Finding], str]:
    """Returns the findings and a table. `p50s`: the median of each call when it was measured without other load. Raises
    Void.
    """
    readings_by_call = {reading.call: reading for reading in p50s}
    heavy = max(PAGES, key=lambda page: sum(p50s[readings_by_call[call]] for call in PAGES[page]))
    page = [[requests_of(readings_by_call[call], crowd)[0]] for call in PAGES[heavy]]
    other_requests = [requests_of(readings_by_call[call], crowd)[1] for call in OTHERS]
    time.sleep(WINDOW_S)
    alone = _waited(port, crowd, other_requests, repeats)
    with _again_and_again(port, page):
        beside = _waited(port, crowd, other_requests, repeats)
    findings = [
        Finding(
            f"{kind} during an administrator's loads of {heavy!r} in a loop, p95", at_most(limit, "ms"), beside[kind][1]
        )
        for kind, limit in GOALS.items()
    ]
    cells = [(kind, *(f"{p50:.1f} / {p95:.1f}" for p50, p95 in (alone[kind], beside[kind]))) for kind in GOALS]
    return findings, table([("ms: p50 / p95", "with nobody beside", f"beside {heavy!r} in a loop"), *cells])


def _waited(port: int, crowd: Crowd, other_requests: Sequence[bytes], repeats: int) -> dict[str, tuple[float, float]]:
    """Returns milliseconds, p50 and p95, of an employee's calls and a clock's stamps, sent one after the other each."""
    clock = crowd.clocks[0]
    batches = [clock.batch_of([(crowd.tags[turn % len(crowd.tags)], datetime.now(UTC))]) for turn in range(repeats)]
    stamps = [clock.signed("POST", "/api/devices/stamps", batch) for batch in batches]
    calls = [other_requests[turn % len(other_requests)] for turn in range(repeats)]
    answers = run(port, [calls, stamps]).answers
    _check(answers)
    return dict(zip(GOALS, map(_shares, answers), strict=True))


def _shares(answers: Sequence[Answer]) -> tuple[float, float]:
    waited = sorted(answer.seconds * _MILLI for answer in answers)
    return waited[len(waited) // 2], waited[int(len(waited) * 0.95)]


@contextmanager
def _again_and_again(port: int, page: Sequence[Sequence[bytes]]) -> Iterator[None]:
    """Requests the page again as soon as its answers have come, for as long as the block lasts, and at least once
    before it begins.
    """
    begun, enough = threading.Event(), threading.Event()
    failed: list[Exception] = []

    def load() -> None:
        try:
            while not enough.is_set():
                _check(run(port, page).answers)
                begun.set()
        except (RuntimeError, OSError) as reason:
            failed.append(reason)
        finally:
            begun.set()

    thread = threading.Thread(target=load)
    thread.start()
    try:
        begun.wait()
        yield
    finally:
        enough.set()
        thread.join()
    if failed:
        raise Void(f"the page: {failed[0]}")


def _check(answers: Sequence[Sequence[Answer]]) -> None:
    if wrong := [answer for each in answers for answer in each if answer.status not in (200, 204)]:
        raise Void(f"answered {wrong[0].status}: {wrong[0].body[:200]!r}")
