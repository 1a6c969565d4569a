"""The handbook lists exactly the signals of a portable scanner."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
_BEATS = {"ohne": 0, "ein": 1, "einmal": 1, "zwei": 2, "zweimal": 2, "drei": 3, "dreimal": 3, "viermal": 4}


def test_every_signal_has_its_line_in_the_handbook_and_every_line_its_signal() -> None:
    program: dict[str, Any] = {}
    exec((ROOT / "firmware/scanner/signal.py").read_text("utf-8"), program)
    played = Counter()
    for pattern in program["PATTERNS"].values():
        [light] = {light for _, _, light, _ in pattern if light}
        played[light, sum(1 for _, tone, _, _ in pattern if tone)] += 1
    page = (ROOT / "docs/handbuch.md").read_text("utf-8")
    described = Counter(
        (colour[0], _BEATS[next(word for word in re.findall(r"\w+", description) if word in _BEATS)])
        for colour, description in re.findall(r"^\| (grün|rot), ([^|]+) \|", page, re.MULTILINE)
    )
    assert described == played
