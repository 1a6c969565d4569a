"""`stempelwerk simulate`: runs seeds, prints the taps lost, doubled and stuck, and fails if any of them is not 0.

A seed that fails is a replay: run it again with `--first S --seeds 1 --lines 200` and read how it came about.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import structlog

from stempelwerk_tools.simulation.run import Simulator

_WRONG_SHOWN = 5


def main(arguments: Sequence[str]) -> int:
    """Runs the command; 0 if all seeds are good."""
    parser = argparse.ArgumentParser(
        prog="stempelwerk simulate", description="Agents and service in a simulated world."
    )
    parser.add_argument("--seeds", type=int, default=20, help="how many (20)")
    parser.add_argument("--first", type=int, default=0, metavar="S", help="the first one (0)")
    parser.add_argument("--lines", type=int, default=0, metavar="N", help="show the last N events of a seed that fails")
    options = parser.parse_args(arguments)
    structlog.configure(
        processors=[structlog.processors.KeyValueRenderer()], logger_factory=structlog.ReturnLoggerFactory()
    )
    lost = doubled = stuck = bad = 0
    with Simulator() as simulator:
        for seed in range(options.first, options.first + options.seeds):
            verdict = simulator.run(seed, keep_lines=options.lines)
            faults = ", ".join(f"{count} {kind}" for kind, count in sorted(verdict.faults.items())) or "no misfortune"
            outcome = "ok" if verdict.good else "WRONG"
            print(f"seed {seed}: {outcome}, {verdict.taps} taps, {verdict.forks} forks; {faults}; {verdict.trace[:16]}")
            if not verdict.good:
                bad += 1
                print("\n".join(f"  {line}" for line in [*verdict.lines, *verdict.wrong[:_WRONG_SHOWN]]))
            lost, doubled, stuck = lost + verdict.lost, doubled + verdict.doubled, stuck + verdict.stuck
    print(f"lost {lost}, doubled {doubled}, stuck {stuck}, otherwise wrong in {bad} of {options.seeds} seeds")
    return 1 if bad else 0
