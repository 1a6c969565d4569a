"""Half days: inside a whole number of halves, outside a number such as 12 or 12.5."""

from math import isfinite


def halves_of(number: float) -> int:
    """How many halves a number of days is. ValueError if it is no multiple of a half, or no finite number."""
    if not isfinite(number) or number * 2 != int(number * 2):
        raise ValueError("not a number of half days")
    return int(number * 2)


def number_of(halves: int) -> float:
    """Returns the number of days for half days: a whole number without a fraction."""
    return halves // 2 if halves % 2 == 0 else halves / 2
