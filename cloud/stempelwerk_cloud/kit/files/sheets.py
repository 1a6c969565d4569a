"""A table that somebody uploads, as rows of text: CSV in whatever way Excel writes it, or XLSX.

A workbook is looked into by a process of its own (`rewriting/sheets.py`); a text is so small that it needs none.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.rewriting.child import SHEET
from stempelwerk_cloud.kit.files.rewriting.refused import MOST_ROWS, Reason
from stempelwerk_cloud.kit.http.problems import Problem, invalid

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


_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_OF_EXCEL = ("windows-1252", "mac-roman", "cp850")
"""What it writes as "CSV", "CSV (Macintosh)" and "CSV (MS-DOS)"; nothing in the file says which of them."""
_UMLAUT = re.compile("[A-Za-z][äöü][a-z]")
_SEPARATORS = (";", ",", "\t")
_BYTE_ORDER_MARK = "\ufeff"
_SAID = re.compile(r"sep=(.)(\r\n|\r|\n)", re.IGNORECASE)
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_MOST_OF_CELL = 1000
"""More than anything may have that is read here, so that what is cut is refused."""
_HALVES = re.compile("[\ud800-\udfff]")


def too_large() -> Problem:
    return Problem(413, "too_large", "Die Datei ist zu groß (höchstens 2 MB).")


def read(content: bytes, place: BinaryIO) -> list[Sheet]:
    """Returns the sheets of a file. Raises 422 for a file that is no table.

    Half a character becomes U+FFFD; a long cell is cut. `place` is the result of `places.take`. A sheet is read up to
    one row beyond `MOST_ROWS`: only the chosen sheet is refused for its length.
    """
    if not content.strip():
        raise _refused("Die Datei ist leer.", "file_empty")
    if content.startswith(_OLD_EXCEL):
        raise _refused("Bitte ohne Passwort als XLSX oder CSV speichern und noch einmal hochladen.", "file_unsupported")
    if not content.startswith(_ZIP):
        return [Sheet("", False, [Row(number, _clean(cells)) for number, cells in _of_text(_decoded(content))])]
    workbook = json.loads(checking.remade(content, SHEET, place.fileno()))
    return [
        Sheet(name, hidden, [Row(number, _clean(cells), frozenset(typed)) for number, cells, typed in rows])
        for name, hidden, rows in workbook
    ]


def _clean(cells: list[str]) -> list[str]:
    return [_HALVES.sub("\ufffd", cell.lstrip(_BYTE_ORDER_MARK)[:_MOST_OF_CELL]) for cell in cells]


def _of_text(text: str) -> Iterator[tuple[int, list[str]]]:
    said = _SAID.match(text)
    head = next((line for line in text.splitlines() if any(mark in line for mark in _SEPARATORS)), "")
    separator = said[1] if said else max(_SEPARATORS, key=head.count)
    read = 0
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text, ""), delimiter=separator, strict=True), start=1):
            if not any(cell.strip() for cell in cells) or (number == 1 and said):
                continue
            read += 1
            yield number, cells
            if read > MOST_ROWS:
                return
    except (csv.Error, TypeError, ValueError):  # a separator that is none, a quote that nothing ends
        raise _refused("Die Datei ist nicht lesbar: Anführungszeichen oder Trennzeichen passen nicht.") from None


def _decoded(content: bytes) -> str:
    encodings = [name for bom, name in _BOMS if content.startswith(bom)]
    for encoding in encodings or ["utf-8", max(_OF_EXCEL, key=lambda name: _umlauts(content, name))]:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text.lstrip(_BYTE_ORDER_MARK)
    raise _refused("Die Datei ist weder CSV noch XLSX, oder ihre Zeichen sind nicht lesbar.", "file_unsupported")


def _umlauts(content: bytes, encoding: str) -> int:
    """How many stand in it where German has them, if it is in this encoding."""
    return len(_UMLAUT.findall(content.decode(encoding, "ignore")))


def _refused(sentence: str, code: str = "file_damaged") -> Problem:
    return invalid("file", sentence, code)
