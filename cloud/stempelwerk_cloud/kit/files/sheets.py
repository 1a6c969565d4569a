"""Uploaded tables as rows of text: CSV in each way that Excel writes it, or XLSX.

A child process reads either (`rewriting/texts.py`, `rewriting/sheets.py`).
"""

import json
import re
from typing import BinaryIO, NamedTuple

from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.rewriting.jobs import CSV, SHEET
from stempelwerk_cloud.kit.files.rewriting.refused import MOST_ROWS, Reason
from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool

MOST_BYTES = 2 * 1024 * 1024


class Row(NamedTuple):
    """A row with its number in the table, from 1 on. `typed`: the cells that a workbook holds as a number or a time."""

    number: int
    cells: list[str]
    typed: frozenset[int] = frozenset()


class Sheet(NamedTuple):
    """The rows of a table that are not empty. A text is one sheet without a name."""

    name: str
    hidden: bool
    rows: list[Row]

    def ensure_not_too_long(self) -> None:
        """Raises 422 for more rows than are read of a table."""
        if len(self.rows) > MOST_ROWS:
            raise checking.refused(Reason.TOO_MANY_ROWS, SHEET)


_BYTE_ORDER_MARK = "\ufeff"
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_MOST_OF_CELL = 1000
"""More than anything may have that is read here, so that what is cut is refused."""
_HALVES = re.compile("[\ud800-\udfff]")


def too_large() -> Problem:
    return Problem(413, "too_large", "Die Datei ist zu groß (höchstens 2 MB).")


def read(pool: SubprocessPool, content: bytes, place: BinaryIO) -> list[Sheet]:
    """Returns the sheets of a file. Raises 422 for a file that is no table, 503 while the service ends.

    Half a character becomes U+FFFD; a long cell is cut. `place` is the result of `places.take`. A sheet is read up to
    one row beyond `MOST_ROWS`: only the chosen sheet is refused for its length.
    """
    if not content.strip():
        raise invalid("file", "Die Datei ist leer.", "file_empty")
    if content.startswith(_OLD_EXCEL):
        sentence = "Bitte ohne Passwort als XLSX oder CSV speichern und noch einmal hochladen."
        raise invalid("file", sentence, "file_unsupported")
    media_type = SHEET if content.startswith(_ZIP) else CSV
    return [
        Sheet(name, hidden, [Row(number, _clean(cells), frozenset(typed)) for number, cells, typed in rows])
        for name, hidden, rows in json.loads(checking.remade(pool, content, media_type, place.fileno()))
    ]


def _clean(cells: list[str]) -> list[str]:
    return [_HALVES.sub("\ufffd", cell.lstrip(_BYTE_ORDER_MARK)[:_MOST_OF_CELL]) for cell in cells]
