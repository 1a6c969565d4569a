"""A table of times as XLSX, without cells that a program takes for a formula. Only child processes load it."""

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

import openpyxl
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ERROR_CODES, ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.worksheet._writer import WorksheetWriter

from stempelwerk_cloud.kit.csv_tables import Row
from stempelwerk_cloud.office.exports import words

_WIDTHS = (16, 26, 12, 9, 9, 12, 18, 18, 12, 40)
_FORMATS: Final[Mapping[type, str]] = {Decimal: "0.00", date: "DD.MM.YYYY"}


def as_xlsx(title: str, heads: Sequence[str], lines: Iterator[Row]) -> bytes:
    """One sheet; numbers are numbers and days are days, all else is text."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    for column, width in zip("ABCDEFGHIJ", _WIDTHS, strict=True):
        sheet.column_dimensions[column].width = width
    file = io.BytesIO()
    with os.fdopen(os.memfd_create("sheet"), "wb") as memory:
        sheet._writer = _WriterToMemory(sheet, f"/proc/self/fd/{memory.fileno()}")
        sheet._writer.write_top()
        cells = _Cells(sheet)
        sheet.append(cells.fill_line(heads, bold=True))
        for line in lines:
            sheet.append(cells.fill_line(line, bold=line[2] == words.SUM))
        book.save(file)
    return file.getvalue()


class _WriterToMemory(WorksheetWriter):
    """Keeps the sheet in memory: openpyxl would write it to /tmp, where a killed process leaves it readable."""

    def cleanup(self) -> None:
        """Removes nothing: the memory is freed with its descriptor."""


class _Cells:
    """Lines for openpyxl: plain values, and cells for values with a format and for text that looks like a formula.

    Each kind of value has one cell, which is reused: openpyxl writes a line at once.
    """

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self._cells: dict[tuple[type, bool], Any] = {}

    def fill_line(self, line: Row, *, bold: bool) -> Iterator[Any]:
        for value in line:
            cell_value, is_plain = _printable(value) if isinstance(value, str) else (value, type(value) not in _FORMATS)
            yield cell_value if cell_value is None or (is_plain and not bold) else self._filled(cell_value, bold)

    def _filled(self, value: str | int | date | Decimal, bold: bool) -> Any:
        kind = type(value), bold
        cell = self._cells.get(kind)
        if cell is None:
            cell = self._cells[kind] = WriteOnlyCell(self._sheet)
            cell.number_format = _FORMATS.get(kind[0], "General")
            if bold:
                cell.font = Font(bold=True)
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"
        return cell


@lru_cache(maxsize=10_000)
def _printable(text: str) -> tuple[str, bool]:
    """Returns the text without illegal characters, and whether openpyxl recognizes it as text."""
    printable = ILLEGAL_CHARACTERS_RE.sub("", text)
    return printable, not printable.startswith("=") and printable not in ERROR_CODES
