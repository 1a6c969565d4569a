"""The time from a tag at the reader until the touchscreen has drawn the tap, and until the employee's own page has.

The whole way: a PN532 on a line under the real driver, the agent, the service on PostgreSQL, its stream, and both pages
in a real browser, each tap of another employee whose page is open. A tap begins when the tag comes into the field.
"""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import dataclass

from stempelwerk_tools.bench import ground
from stempelwerk_tools.bench.browsers import Browser, browser_program
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on
from stempelwerk_tools.bench.installation import COMPANY, Installation
from stempelwerk_tools.bench.measures import agent
from stempelwerk_tools.bench.sides.side import NotMeasured, Void
from stempelwerk_tools.simulators.pty_reader import PtyReader
from stempelwerk_tools.simulators.tags import TypeA

_SERIAL = "BENCH-LIVE"
_LIFTED_S = 1.5  # until the touchscreen may be asked again without the last answer changing under it


@dataclass(frozen=True)
class Times:
    """Milliseconds from the tag in the reader's field until each of the screens has drawn the tap."""

    touchscreen: float
    page: float


def measure(field: Field, taps: int) -> list[Finding]:
    """Returns the findings about the medians of all taps. Raises Void."""
    goals = {"touchscreen": at_most(60, "ms"), "employee's own page": at_most(130, "ms")}
    try:
        times = _measure(field, taps)
    except NotMeasured as reason:
        return [Finding(f"from the tag to the {screen}", bound, None, str(reason)) for screen, bound in goals.items()]
    counts = ground.count_rows(field.product()[1].database_url)
    if counts.stamps < taps:
        raise Void(f"{taps} taps were to be measured, and this is there: {counts}")
    medians = (statistics.median(tap.touchscreen for tap in times), statistics.median(tap.page for tap in times))
    measured = zip(goals.items(), medians, strict=True)
    return on(counts, (Finding(f"from the tag to the {screen}", bound, median) for (screen, bound), median in measured))


def _measure(field: Field, taps: int) -> list[Times]:
    command = browser_program("watch.ts")
    _, installed = field.product()
    folder = field.folder / "live"
    folder.mkdir()
    people = {f"watching-{number}": f"04B3{number:04X}5566AA" for number in range(taps)}
    for username, tag in people.items():
        installed.hire(username, tag)
    with (
        PtyReader() as reader,
        agent.assigned(installed, folder, reader.path, _SERIAL) as clock,
        Browser([*command, clock.address, installed.origin]) as browser,
    ):
        field.say(f"{taps} taps, each of somebody whose page is open")
        return [_tap(installed, reader, browser, *person) for person in people.items()]


def _tap(installed: Installation, reader: PtyReader, browser: Browser, username: str, tag: str) -> Times:
    session = installed.log_in(COMPANY, username)
    browser.send({key: session[key] for key in ("token", "role", "username", "companyId", "userId")})
    browser.answer()
    time.sleep(random.random())  # a tag may come at any moment of the agent's round
    held_ms = time.time() * 1000
    reader.hold(TypeA(bytes.fromhex(tag), 0x0044, 0x00))
    drawn_ms = browser.answer()
    reader.remove()
    time.sleep(_LIFTED_S)
    return Times(drawn_ms["touchscreen"] - held_ms, drawn_ms["page"] - held_ms)
