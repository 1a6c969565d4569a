"""The time until an administrator sees Heute, a tap on it, and a dragged duty, in a real browser
(`web/e2e/office.ts`).
"""

from __future__ import annotations

import statistics
import time
from datetime import UTC, datetime

from stempelwerk_tools.bench.browsers import Browser, browser_program
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Bound, Finding, at_most, on
from stempelwerk_tools.bench.measures.office import read, tap
from stempelwerk_tools.bench.measures.size import Filled
from stempelwerk_tools.bench.sides.side import NotMeasured, Void

_GOALS = {
    "desktop": ("Heute, on a desktop with nothing kept", at_most(1_000, "ms")),
    "phone": ("Heute's largest paint, on Lighthouse's phone with nothing kept", at_most(2_500, "ms")),
    "drag": ("a drag in the roster of 200, on a processor four times slower", at_most(100, "ms")),
}
_TAP = ("from the tap to Heute", at_most(300, "ms"))
_SCRIPTS = "the scripts of a page alone"
_KIB = at_most(60, "KiB")
_LIMIT_S = 600


def measure(field: Field, server: Filled, rounds: int) -> list[Finding]:
    """Returns the findings: the medians, and the heaviest page. Raises Void."""
    try:
        command = browser_program("office.ts")
    except NotMeasured as reason:
        goals: list[tuple[str, Bound]] = [*_GOALS.values(), _TAP, (_SCRIPTS, _KIB)]
        return [Finding(goal, bound, None, str(reason)) for goal, bound in goals]
    people = {user["id"]: user for user in read(server, "{}/users")}
    administrator = next(user for user in people.values() if user["role"] == "companyAdmin")
    session = {
        "token": server.crowd.tokens[0],
        "role": administrator["role"],
        "username": administrator["username"],
        "companyId": server.crowd.company_id,
        "userId": administrator["id"],
    }
    with Browser([*command, f"http://127.0.0.1:{server.port}", str(rounds)]) as browser:
        browser.send(session)
        figures = browser.answer(_LIMIT_S)
        taps = [_tap(server, browser, people[person["userId"]]) for person in _missing(server)[:rounds]]
    heaviest = max(figures["scripts"], key=figures["scripts"].__getitem__)
    field.say(f"in the browser: {figures}, taps {taps}")
    findings = [
        *(Finding(goal, bound, statistics.median(figures[name])) for name, (goal, bound) in _GOALS.items()),
        Finding(*_TAP, statistics.median(taps)),
        Finding(f"{_SCRIPTS} ({heaviest})", _KIB, figures["scripts"][heaviest]),
    ]
    return on(server.ground, findings)


def _missing(server: Filled) -> list[dict[str, str]]:
    missing: list[dict[str, str]] = read(server, "{}/today")["missing"]
    if not missing:
        raise Void("nobody is missing who could come")
    return missing


def _tap(server: Filled, browser: Browser, person: dict[str, str]) -> float:
    """Returns the milliseconds from the delivery of a person's tap until Heute shows it."""
    browser.send(person["username"])
    browser.answer()
    began = time.time() * 1000
    tap(server, [(person["tagId"], datetime.now(UTC))])
    drawn_ms: float = browser.answer()["drawn"]
    return round(drawn_ms - began, 1)
