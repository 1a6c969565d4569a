"""Columns, colours and page breaks of papers.

`pages.py` draws. Importing its library, fpdf, takes half a second.
"""

from collections.abc import Sequence
from typing import Literal

INK, PALE = (28, 30, 34), (96, 100, 108)
WIDTH = 178.0
"""The space between the margins, in millimetres."""

Align = Literal["LEFT", "RIGHT"]
Column = tuple[str, float, Align]
"""Its head, its width in millimetres, and the alignment of its cells."""


def paginate(heights: Sequence[float], first: float, later: float, tail: float, together: int = 3) -> list[int]:
    """Returns the number of rows on each page, where `tail` follows the last row on the last page.

    `first` and `later` are the heights for rows on the first page and on each other one; any row fits on either with
    the tail. If the tail no longer fits below the rows, the last ones (at most `together`) move to a new page with it.
    """
    counts, used, room = [0], 0.0, first
    for height in heights:
        if used + height > room:
            counts.append(0)
            used, room = 0.0, later
        counts[-1] += 1
        used += height
    if used + tail > room:
        moved, below = 0, tail
        for height in reversed(heights[len(heights) - counts[-1] + 1 :][-together:]):
            if below + height > later:
                break
            moved, below = moved + 1, below + height
        counts[-1] -= moved
        counts.append(moved)
    return counts
