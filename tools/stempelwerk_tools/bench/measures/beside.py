"""How long others wait while one administrator loads the heaviest page again and again, from one process.

A page is what it asks for, all at once. The heaviest is the one whose calls took longest by themselves.
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
"""What an administrator's page asks for, as `Reading.asked` says it."""

OTHERS = (
    f"/api/users/{{userId}}/times?{OF_MONTH}",
    "/api/users/{userId}/account?month={month}",
    "/api/messages?limit=50",
    "/api/vacation-requests/mine",
    "/api/vacation-policy/mine",
    "/api/schedule/my-swap-requests",
)
"""What an employee's pages ask for."""

WINDOW_S = 60
"""After which the service has forgotten how often the two have asked for what was measured before."""

GOALS = {"an employee's call": 50, "a stamp": 60}


def measure(port: int, crowd: Crowd, p50s: dict[Reading, float], repeats: int) -> tuple[list[Finding], str]:
    """What the goals say, and a table. `p50s`: of each call by itself. Raises Void."""
    known = {reading.asked: reading for reading in p50s}
    heavy = max(PAGES, key=lambda page: sum(p50s[known[call]] for call in PAGES[page]))
    page = [[requests_of(known[call], crowd)[0]] for call in PAGES[heavy]]
    others = [requests_of(known[call], crowd)[1] for call in OTHERS]
    time.sleep(WINDOW_S)
    alone = _waited(port, crowd, others, repeats)
    with _again_and_again(port, page):
        beside = _waited(port, crowd, others, repeats)
    found = [
        Finding(
            f"{who} beside an administrator who loads {heavy!r} in a loop, p95", at_most(most, "ms"), beside[who][1]
        )
        for who, most in GOALS.items()
    ]
    cells = [(who, *(f"{p50:.1f} / {p95:.1f}" for p50, p95 in (alone[who], beside[who]))) for who in GOALS]
    return found, table([("ms: p50 / p95", "with nobody beside", f"beside {heavy!r} in a loop"), *cells])


def _waited(port: int, crowd: Crowd, others: Sequence[bytes], repeats: int) -> dict[str, tuple[float, float]]:
    """Milliseconds, p50 and p95: somebody asks, and a clock stamps, one after the other each."""
    clock = crowd.clocks[0]
    batches = [clock.batch_of([(crowd.tags[turn % len(crowd.tags)], datetime.now(UTC))]) for turn in range(repeats)]
    stamps = [clock.signed("POST", "/api/devices/stamps", batch) for batch in batches]
    asked = [others[turn % len(others)] for turn in range(repeats)]
    answers = run(port, [asked, stamps]).answers
    _check(answers)
    return dict(zip(GOALS, map(_shares, answers), strict=True))


def _shares(answers: Sequence[Answer]) -> tuple[float, float]:
    waited = sorted(answer.seconds * _MILLI for answer in answers)
    return waited[len(waited) // 2], waited[int(len(waited) * 0.95)]


@contextmanager
def _again_and_again(port: int, page: Sequence[Sequence[bytes]]) -> Iterator[None]:
    """Loads the page as soon as it has come, for as long as the block lasts, and at least once before."""
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
    if wrong := [one for each in answers for one in each if one.status not in (200, 204)]:
        raise Void(f"answered {wrong[0].status}: {wrong[0].body[:200]!r}")
