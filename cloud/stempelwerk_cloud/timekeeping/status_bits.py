"""The encoding of a stamp's and an entry's words as small numbers, which keep their rows narrow. Pure functions.

`reported_bits` is what the stamp reported (a fact), `status` what was concluded about it. A number is never given to
another word.
"""

from collections.abc import Collection
from typing import Final, Literal

from stempelwerk_cloud.domain.entries.stamps import Direction, Shown

DIRECTIONS: Final[tuple[Direction, ...]] = ("auto", "in", "out")
QUALITIES: Final = ("none", "ntp", "rtc", "manual")
SHOWN: Final[tuple[Shown | None, ...]] = (None, "in", "out", "double_tap", "unknown")
REASONS: Final = (None, "double_tap", "replaced", "voided", "voided_late", "corrected")
FLAGS: Final = (
    "missing_in",
    "missing_out",
    "long_entry",
    "uncertain_time",
    "over_10_h",
    "short_rest",
    "missing_break",
    "overlap",
    "shown_differs",
    "late",
)
"""The flags that are stored, in the order of entries' lists."""

LEFT_OPEN: Final = 1 << 14
"""An internal bit after those of the flags, never shown: the entry is days old and has no end (see
`times/review/review.py`).
"""

SCREEN: Final = "screen"
READER: Final = "reader"
_ANSWER = 256

REASON: Final = 0x7
"""The mask of the bits of a status that contain the reason why the stamp does not count (an index of `REASONS`)."""
UNKNOWN_TAG: Final = 0x8
REVOKED_TAG: Final = 0x10
CLOCK: Final = 0x20
CONFLICT: Final = 0x40
BOOKED_BY_HAND: Final = 0x80
DISCARDED: Final = 0x100

State = Literal[
    "booked",
    "not_counted",
    "held_unknown_tag",
    "held_revoked_tag",
    "held_assignment",
    "held_clock",
    "conflict",
    "late_in_deleted",
]

_DIRECTION: dict[str, int] = {word: number for number, word in enumerate(DIRECTIONS)}
_QUALITY: dict[str, int] = {word: number * 4 for number, word in enumerate(QUALITIES)}
_SHOWN: dict[str | None, int] = {word: number * 16 for number, word in enumerate(SHOWN)}
_REASON: dict[str | None, int] = {word: number for number, word in enumerate(REASONS)}
_BY_REASON: dict[str | None, State] = {None: "booked", "voided_late": "late_in_deleted"}
CONFIRMABLE: Final = (*FLAGS, "worked_on_leave")
"""The flags that an administrator may confirm; the index of each is its bit in a confirmation."""
_FLAG: dict[str, int] = {word: 1 << number for number, word in enumerate(FLAGS)}


def reported_bits_of(direction: str, quality: str, shown_direction: str | None, via: str) -> int:
    return _DIRECTION[direction] + _QUALITY[quality] + _SHOWN[shown_direction] + (_ANSWER if via == SCREEN else 0)


def direction_of(reported_bits: int) -> Direction:
    return DIRECTIONS[reported_bits & 3]


def quality_of(reported_bits: int) -> str:
    return QUALITIES[reported_bits >> 2 & 3]


def shown_of(reported_bits: int) -> Shown | None:
    return SHOWN[reported_bits >> 4 & 15]


def is_answer(reported_bits: int) -> bool:
    """Whether the stamp comes from an answer on the touchscreen instead of a tap."""
    return reported_bits & _ANSWER != 0


def reason_number(reason: str | None) -> int:
    return _REASON[reason]


def state_of(status: int) -> State:
    """Returns the state of a stamp in a company: the first that applies of discarded, tag, clock, conflict,
    and reason.
    """
    if status & DISCARDED:
        return "not_counted"
    if status & UNKNOWN_TAG:
        return "held_unknown_tag"
    if status & REVOKED_TAG:
        return "held_revoked_tag"
    if status & CLOCK and not status & BOOKED_BY_HAND:
        return "held_clock"
    if status & CONFLICT and not status & BOOKED_BY_HAND:
        return "conflict"
    return _BY_REASON.get(REASONS[status & REASON], "not_counted")


def state_for_clock(status: int) -> State:
    """Returns the state in the contract's words for clocks. They have no word for deletions, so that is
    `not_counted`.
    """
    state = state_of(status)
    return "not_counted" if state == "late_in_deleted" else state


def waits(status: int) -> bool:
    """Whether the stamp still waits for an administrator's decision."""
    return state_of(status) not in {"booked", "not_counted"}


def flag_bits(flags: tuple[str, ...]) -> int:
    bits = 0
    for flag in flags:
        bits |= _FLAG[flag]
    return bits


def flag_words(bits: int) -> list[str]:
    return [flag for number, flag in enumerate(FLAGS) if bits >> number & 1]


def confirmed_bits(flags: Collection[str]) -> int:
    """Returns the bits of confirmed flags. `missing_out` includes `LEFT_OPEN`, the mark of an open entry with the same
    meaning.
    """
    bits = sum(1 << CONFIRMABLE.index(flag) for flag in set(flags))
    return bits | (LEFT_OPEN if "missing_out" in flags else 0)


def confirmed_words(bits: int) -> frozenset[str]:
    return frozenset(flag for number, flag in enumerate(CONFIRMABLE) if bits >> number & 1)
