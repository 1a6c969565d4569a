"""The time that a press in the employee's area stays without an answer, on a phone four times slower than this machine.

It opens the demo's company in a real browser, and measures for each press the time until its effect was drawn
(`web/e2e/presses.ts`).
"""

from __future__ import annotations

import json
import statistics
import subprocess

from stempelwerk_tools.bench.browsers import FOLDER, browser_program
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on
from stempelwerk_tools.bench.sides.side import NotMeasured, Void

_GOAL = "the slowest press of an employee, on a phone four times slower"
_LIMIT_MS = 100  # what is answered within it is felt as at once (Miller 1968, Card et al. 1991)


def measure(field: Field, rounds: int) -> list[Finding]:
    """Returns the finding about the slowest press, by the median over the rounds. Raises Void."""
    bound = at_most(_LIMIT_MS, "ms")
    try:
        command = [*browser_program("presses.ts"), str(rounds)]
    except NotMeasured as reason:
        return [Finding(_GOAL, bound, None, str(reason))]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Void(f"the browser: {done.stderr[-1000:]}")
    report = json.loads(done.stdout)
    times: dict[str, list[float]] = report["presses"]
    medians = {press: statistics.median(each) for press, each in times.items()}
    slowest = max(medians, key=medians.__getitem__)
    if not medians[slowest]:
        raise Void("the browser timed no press")
    field.say(f"of {len(medians)} presses the slowest is {slowest!r}: {times[slowest]} ms")
    return on(f"the demo, {report['ground']}", [Finding(_GOAL, bound, medians[slowest])])
