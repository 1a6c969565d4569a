"""Lists of parameters with few different lengths, so that few texts of a statement are prepared and planned."""

from collections.abc import Collection
from typing import TypeVar

Value = TypeVar("Value")


def padded(values: Collection[Value]) -> list[Value]:
    """Returns the values for an `IN`, with the last one repeated up to a power of two."""
    value_list = list(values)
    missing = (1 << max(len(value_list) - 1, 0).bit_length()) - len(value_list)
    return value_list + value_list[-1:] * missing
