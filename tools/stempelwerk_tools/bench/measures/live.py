"""How long after a tag is held to the reader the touchscreen has drawn it, and the employee's own page.

The whole way: a PN532 on a line under the real driver, the agent, the service on PostgreSQL, its stream, and both pages
in a real browser, each tap of somebody else whose page is open. A tap begins when the tag comes into the field.
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
    """Milliseconds from the tag in the field to what each has drawn."""

    touchscreen: float
    page: float


def measure(field: Field, taps: int) -> list[Finding]:
    """The medians. Raises Void."""
    goals = {"touchscreen": at_most(60, "ms"), "employee's own page": at_most(130, "ms")}
    try:
        times = _measure(field, taps)
    except NotMeasured as reason:
        return [Finding(f"from the tag to the {what}", bound, None, str(reason)) for what, bound in goals.items()]
    there = ground.counted(field.product()[1].database_url)
    if there.stamps < taps:
        raise Void(f"{taps} taps were to be measured, and this is there: {there}")
    medians = (statistics.median(one.touchscreen for one in times), statistics.median(one.page for one in times))
    found = zip(goals.items(), medians, strict=True)
    return on(there, (Finding(f"from the tag to the {what}", bound, median) for (what, bound), median in found))


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
    browser.tell({key: session[key] for key in ("token", "role", "username", "companyId", "userId")})
    browser.answer()
    time.sleep(random.random())  # nobody knows when in the agent's round a tag comes
    held_ms = time.time() * 1000
    reader.hold(TypeA(bytes.fromhex(tag), 0x0044, 0x00))
    drawn = browser.answer()
    reader.remove()
    time.sleep(_LIFTED_S)
    return Times(drawn["touchscreen"] - held_ms, drawn["page"] - held_ms)
