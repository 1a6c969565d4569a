"""Tables as CSV for German Excel: UTF-8 with BOM, semicolons, decimal commas. No cell is read as a formula.

A program of another locale splits the lines of a CSV at commas or tabs. Quotes do not prevent that, because to it they
are in the middle of a cell. So an apostrophe precedes any text that would begin a formula in one of these readings.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Final

from stempelwerk_cloud.kit import german

Cell = str | int | date | Decimal | None
Row = Sequence[Cell]
_FORMULA = r"""[\s"\u200b\ufeff]*[=+\-@＝＋－＠]"""
_BEGINNING = re.compile(rf"[\t-\r]|{_FORMULA}")
_BEHIND_SEPARATOR = re.compile(rf"([,;|\t-\r\x85\u2028\u2029])(?={_FORMULA})")


BEGIN: Final = codecs.BOM_UTF8
"""The first bytes of a file."""


def table(heads: Sequence[str], rows: Iterable[Row]) -> bytes:
    """Returns a whole file."""
    return BEGIN + lines([heads]) + lines(rows)


def lines(rows: Iterable[Row]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=";", lineterminator="\r\n").writerows(map(_text, row) for row in rows)
    return buffer.getvalue().encode()


@lru_cache(maxsize=10_000, typed=True)
def _text(cell: Cell) -> str:
    if isinstance(cell, str):
        return _harmless(cell)
    if cell is None:
        return ""
    if isinstance(cell, date):
        return german.day_in_table(cell)
    return f"{cell:.2f}".replace(".", ",") if isinstance(cell, Decimal) else str(cell)


def _harmless(text: str) -> str:
    """Returns the text with an apostrophe before what would begin a formula, wherever a program begins a cell."""
    marked = _BEHIND_SEPARATOR.sub(r"\1'", text)
    return f"'{marked}" if _BEGINNING.match(marked) else marked
