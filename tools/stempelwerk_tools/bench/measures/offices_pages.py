"""When an administrator sees Heute, a tap on it, and a duty that they drag, in a real browser (`web/e2e/office.ts`)."""

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


def measure(field: Field, made: Filled, rounds: int) -> list[Finding]:
    """Medians, and the heaviest page. Raises Void."""
    try:
        command = browser_program("office.ts")
    except NotMeasured as reason:
        goals: list[tuple[str, Bound]] = [*_GOALS.values(), _TAP, (_SCRIPTS, _KIB)]
        return [Finding(goal, bound, None, str(reason)) for goal, bound in goals]
    people = {one["id"]: one for one in read(made, "{}/users")}
    own = next(one for one in people.values() if one["role"] == "companyAdmin")
    session = {
        "token": made.crowd.tokens[0],
        "role": own["role"],
        "username": own["username"],
        "companyId": made.crowd.company_id,
        "userId": own["id"],
    }
    with Browser([*command, f"http://127.0.0.1:{made.port}", str(rounds)]) as browser:
        browser.tell(session)
        said = browser.answer(_LIMIT_S)
        taps = [_tap(made, browser, people[one["userId"]]) for one in _missing(made)[:rounds]]
    heaviest = max(said["scripts"], key=said["scripts"].__getitem__)
    field.say(f"in the browser: {said}, taps {taps}")
    findings = [
        *(Finding(goal, bound, statistics.median(said[name])) for name, (goal, bound) in _GOALS.items()),
        Finding(*_TAP, statistics.median(taps)),
        Finding(f"{_SCRIPTS} ({heaviest})", _KIB, said["scripts"][heaviest]),
    ]
    return on(made.ground, findings)


def _missing(made: Filled) -> list[dict[str, str]]:
    found: list[dict[str, str]] = read(made, "{}/today")["missing"]
    if not found:
        raise Void("nobody is missing who could come")
    return found


def _tap(made: Filled, browser: Browser, person: dict[str, str]) -> float:
    """Milliseconds from the tap's delivery."""
    browser.tell(person["username"])
    browser.answer()
    began = time.time() * 1000
    tap(made, [(person["tagId"], datetime.now(UTC))])
    drawn: float = browser.answer()["drawn"]
    return round(drawn - began, 1)
