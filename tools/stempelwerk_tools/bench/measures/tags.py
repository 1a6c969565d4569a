"""How long a tag that has been waiting keeps everybody else: thousands of its stamps are booked at once, on SQLite.

SQLite has one writer, so no tap of anybody is merged before the tag is given.
"""

from __future__ import annotations

import statistics
import time
from datetime import UTC, datetime, timedelta

from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import EMBEDDED, Finding, at_most
from stempelwerk_tools.bench.installation import CLOCKS, Installation
from stempelwerk_tools.bench.sides.load import run
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.bench.sides.signed_clock import SignedClock

STAMPS = 5000
_BATCH = 500
_GOAL = f"a tag that {STAMPS:,} stamps wait for is given, on SQLite"


def measure(field: Field, rounds: int) -> list[Finding]:
    """The median of the rounds, each with a tag of its own. Raises Void if not every stamp is booked."""
    _, installed = field.product(EMBEDDED)
    times = [_give(installed, number) for number in range(rounds)]
    return [Finding(_GOAL, at_most(0.5, "s"), statistics.median(times))]


def _give(installed: Installation, number: int) -> float:
    """Seconds of the call that gives a tag whose stamps have just been delivered."""
    tag = f"04AA{number:02X}0000AA80"
    first = datetime.now(UTC).replace(microsecond=0) - timedelta(days=STAMPS // 2 + 1)
    clock = SignedClock(installed.origin, CLOCKS + number, [tag], first)
    installed.hang_up(clock, first)
    sent = [clock.batch(_BATCH) for _ in range(0, STAMPS, _BATCH)]
    if any(answer.status != 200 for answer in run(installed.port, [sent]).answers[0]):
        raise Void("a batch of waiting stamps was refused")
    person = list(installed.holders.values())[number]
    body = {"tag": tag, "userId": person, "from": first.strftime("%Y-%m-%dT%H:%M:%S.000Z")}
    began = time.perf_counter()
    booked = installed.call("POST", f"/api/companies/{installed.company}/held-stamps/assign", body)["booked"]
    seconds = time.perf_counter() - began
    if booked != STAMPS:
        raise Void(f"{booked} stamps were booked where {STAMPS} waited")
    return seconds
