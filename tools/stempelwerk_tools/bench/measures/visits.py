"""The time that a page blocks presses at its first visit, on a processor four times slower.

The large company of `size`, a real browser, and every page of all menus (`web/e2e/visits.ts`).
"""

from __future__ import annotations

import json
import subprocess

from stempelwerk_tools.bench.browsers import FOLDER, browser_program
from stempelwerk_tools.bench.crowd import Size
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on, table
from stempelwerk_tools.bench.measures.size import filled
from stempelwerk_tools.bench.sides.side import NotMeasured, Void

_GOAL = "the longest task at a page's first visit, on a processor four times slower"
_LIMIT_MS = 200
_LEAST = 30  # the run is void if it finds fewer pages
_AREAS = {"company": 0, "employee": 1, "admin": 2, "council": 3}  # whose session, by its place in the crowd


def measure(field: Field, size: Size, rounds: int) -> tuple[list[Finding], str]:
    """The goal's finding, and a table of all pages. Raises Void."""
    bound = at_most(_LIMIT_MS, "ms")
    try:
        command = [*browser_program("visits.ts"), str(rounds)]
    except NotMeasured as reason:
        return [Finding(_GOAL, bound, None, str(reason))], ""
    with filled(field, field.postgres.new_database(), field.folder / "visits", size) as server:
        sessions = {area: server.crowd.sessions[place] for area, place in _AREAS.items()}
        request = {"url": f"http://127.0.0.1:{server.port}", "goal": _LIMIT_MS, "sessions": sessions}
        done = subprocess.run(
            command, cwd=FOLDER, input=json.dumps(request), capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise Void(f"the browser: {done.stderr[-1000:]}")
    longest: dict[str, float] = json.loads(done.stdout)
    if len(longest) < _LEAST:
        raise Void(f"the browser found {len(longest)} pages")
    slow = max(longest, key=longest.__getitem__)
    lines = sorted(longest.items(), key=lambda row: -row[1])
    cells = [(page, f"{took:.0f}") for page, took in lines]
    findings = on(server.ground, [Finding(f"{_GOAL}; of {slow!r}", bound, longest[slow])])
    return findings, table([("page", "ms"), *cells])
