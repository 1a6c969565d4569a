"""Conversions of half days: the service computes with whole numbers of halves, its API uses days such as 12 or 12.5."""

from math import isfinite


def halves_of(number: float) -> int:
    """Converts days into half days. Raises ValueError if the number is no multiple of a half, or not finite."""
    if not isfinite(number) or number * 2 != int(number * 2):
        raise ValueError("not a number of half days")
    return int(number * 2)


def number_of(halves: int) -> float:
    """Converts half days into days. A result without a fraction is a whole number."""
    return halves // 2 if halves % 2 == 0 else halves / 2
