"""The formats of a month's files: `FORMATS` has everything that differs between them."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from stempelwerk_cloud.kit import csv_tables
from stempelwerk_cloud.kit.subprocesses.orders import Order
from stempelwerk_cloud.office.exports.files import datev, sheets, timesheets
from stempelwerk_cloud.office.exports.files.datev import Program
from stempelwerk_cloud.office.exports.month.findings import Numbers
from stempelwerk_cloud.office.exports.month.months import Month
from stempelwerk_cloud.office.exports.queries import DIFFERENCE
from stempelwerk_cloud.office.exports.schemas import Format
from stempelwerk_cloud.office.exports.schemas import Mapping as PayrollNumbers

CSV: Final = "text/csv; charset=utf-8"


class FileType(NamedTuple):
    """The name and the media type of a file. `ending`: the end of its name, after the month."""

    ending: str
    media_type: str
    begin: str = "times"

    def file_name(self, month: str) -> str:
        return f"{self.begin}_{month}{self.ending}"


class FileFormat(NamedTuple):
    """A format of a month's file.

    - `content(month, numbers, draft)`: the file, or the order that a child process makes it from.
    - `printed(month, numbers)`: the printed values of the month, for comparing. Formats with the same values share the
      function.
    - `program`: the payroll program that reads the file; open points block such a file, and it needs the company's
      numbers and wage types. None: the file is for people.
    """

    type: FileType
    content: Callable[[Month, Numbers, bool], bytes | Order]
    printed: Callable[[Month, Numbers], object]
    program: Program | None = None


def _workbook(month: Month, numbers: Numbers, draft: bool) -> Order:
    return sheets.Workbook(month, numbers.of_people, draft)


def _table(month: Month, numbers: Numbers, draft: bool) -> bytes:
    return csv_tables.table(sheets.HEADS, sheets.rows(month, numbers.of_people, draft=draft))


def _rows(month: Month, numbers: Numbers) -> object:
    return list(sheets.rows(month, numbers.of_people, draft=False))


def _timesheets(month: Month, numbers: Numbers, draft: bool) -> Order:
    return timesheets.Timesheets(month, numbers.of_people, draft)


def _sheets(month: Month, _: Numbers) -> object:
    return [timesheets.sheet_content(month, person) for person in month.people]


def _of_program(
    ending: str, program: Program, write: Callable[[Month, Mapping[str, str | None], PayrollNumbers], bytes]
) -> FileFormat:
    """Returns the format of a payroll program, whose file `write` writes."""

    def printed(month: Month, numbers: Numbers) -> bytes:
        return write(month, numbers.of_people, numbers.mapping)

    def content(month: Month, numbers: Numbers, _: bool) -> bytes:
        return printed(month, numbers)

    return FileFormat(FileType(ending, "text/plain; charset=windows-1252"), content, printed, program)


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMATS: Final[Mapping[Format, FileFormat]] = {
    "xlsx": FileFormat(FileType(".xlsx", _XLSX), _workbook, _rows),
    "csv": FileFormat(FileType(".csv", CSV), _table, _rows),
    "pdf": FileFormat(FileType(".pdf", "application/pdf"), _timesheets, _sheets),
    "lodas": _of_program("_lodas.txt", datev.LODAS, datev.lodas),
    "lug": _of_program("_lug.txt", datev.LUG, datev.lug),
}
TYPES: Final[Mapping[str, FileType]] = {
    **{form: FORMATS[form].type for form in FORMATS},
    DIFFERENCE: FileType(".csv", CSV, begin="difference"),
}
"""The types of all stored files, by the column `format` of `exports`."""
