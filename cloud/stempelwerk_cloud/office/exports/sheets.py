"""Times as tables: rows for CSV, and XLSX. Neither has a cell that a program would take for a formula."""

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

import openpyxl
from msgspec import Struct
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ERROR_CODES, ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.worksheet._writer import WorksheetWriter

from stempelwerk_cloud.domain.payroll import hundredths
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.csv_tables import Row
from stempelwerk_cloud.kit.subprocesses.orders import Tell
from stempelwerk_cloud.office.exports import words
from stempelwerk_cloud.office.exports.months import Month, PersonMonth, Worked

HEADS: Final = (
    "Personalnummer",
    "Name",
    "Datum",
    "Kommen",
    "Gehen",
    "Pause (Min)",
    "Anwesenheit (Std)",
    "Arbeitszeit (Std)",
    "Quelle",
    "Hinweise",
)
_WIDTHS = (16, 26, 12, 9, 9, 12, 18, 18, 12, 40)
_FORMATS: Final[Mapping[type, str]] = {Decimal: "0.00", date: "DD.MM.YYYY"}


class Workbook(Struct, frozen=True):
    """A month as XLSX. `numbers`: personnel numbers by person."""

    month: Month
    numbers: Mapping[str, str | None]
    draft: bool

    def drawn(self, _tell: Tell) -> bytes:
        title = f"{self.month.month}{' Entwurf' if self.draft else ''}"
        return as_xlsx(title, HEADS, rows(self.month, self.numbers, draft=self.draft))


def rows(month: Month, numbers: Mapping[str, str | None], *, draft: bool) -> Iterator[Row]:
    """A line of each entry, and a sum line of each person; hours are decimals with two places."""
    for person in month.people:
        number = numbers.get(person.user_id)
        for entry in person.worked:
            yield (number, person.name, entry.date, *_entry(entry))
        yield (number, person.name, words.SUM, None, None, *_sums(person), None, words.DRAFT if draft else None)


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
        sheet.append(cells.of(heads, bold=True))
        for line in lines:
            sheet.append(cells.of(line, bold=line[2] == words.SUM))
        book.save(file)
    return file.getvalue()


class _WriterToMemory(WorksheetWriter):
    """Keeps the sheet in memory: openpyxl would write it to /tmp, where a killed process leaves it readable."""

    def cleanup(self) -> None:
        """Removes nothing: the memory is freed with its descriptor."""


def _entry(entry: Worked) -> Row:
    complete = entry.raw is not None
    return (
        None if entry.start is None else german.clock(entry.start),
        None if entry.end is None else german.clock(entry.end),
        entry.pause if complete else None,
        hours(entry.raw) if entry.raw is not None else None,
        hours(entry.net) if complete else None,
        words.SOURCES[entry.source],
        words.hints(entry),
    )


def _sums(person: PersonMonth) -> Row:
    complete = [entry for entry in person.worked if entry.raw is not None]
    return (
        sum(entry.pause or 0 for entry in complete),
        hours(sum(entry.raw or 0 for entry in complete)),
        hours(sum(entry.net for entry in complete)),
    )


@lru_cache(maxsize=2_000)
def hours(minutes: int) -> Decimal:
    """With two places; less than nothing is as far from it as as much more."""
    return Decimal(hundredths(abs(minutes)) * (1 if minutes >= 0 else -1)) / 100


class _Cells:
    """Lines as openpyxl takes them: plain values, which it makes cells of by itself, and where it would look otherwise
    or for a formula, a cell. There is one for each kind, filled anew: what is handed over is written at once."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self._cells: dict[tuple[type, bool], Any] = {}

    def of(self, line: Row, *, bold: bool) -> Iterator[Any]:
        for value in line:
            told, is_plain = _shown(value) if isinstance(value, str) else (value, type(value) not in _FORMATS)
            yield told if told is None or (is_plain and not bold) else self._filled(told, bold)

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
def _shown(text: str) -> tuple[str, bool]:
    """The text as far as a file may hold it, and whether openpyxl by itself takes it for a text."""
    shown = ILLEGAL_CHARACTERS_RE.sub("", text)
    return shown, not shown.startswith("=") and shown not in ERROR_CODES
