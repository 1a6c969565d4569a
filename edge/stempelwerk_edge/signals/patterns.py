"""How each signal looks and sounds, as data: a person who sees no colours, or hears nothing, can still distinguish
them.

Coming rises, going falls, "already stamped" is two equal tones, everything that needs attention is low and red.
"""

from dataclasses import dataclass

from stempelwerk_edge.ports import Signal


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a signal: its duration, its tone (0: silence) and the lights that are on meanwhile."""

    seconds: float
    hertz: int = 0
    green: bool = False
    red: bool = False


def _blink(times: int, seconds: float, hertz: int) -> tuple[Step, ...]:
    return (Step(seconds, hertz, red=True), Step(seconds)) * times


PATTERNS: dict[Signal, tuple[Step, ...]] = {
    Signal.OK_IN: (Step(0.09, 1047, green=True), Step(0.14, 1568, green=True), Step(1.0, green=True)),
    Signal.OK_OUT: (Step(0.09, 1568, green=True), Step(0.14, 1047, green=True), Step(1.0, green=True)),
    Signal.DOUBLE: (Step(0.07, 1319, green=True), Step(0.06), Step(0.07, 1319, green=True), Step(0.8, green=True)),
    Signal.UNKNOWN: (Step(0.35, 330, red=True), Step(0.8, red=True)),
    Signal.NOT_SAVED: _blink(4, 0.2, 220),
    Signal.ERROR: _blink(2, 0.1, 330),
}
