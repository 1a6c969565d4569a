"""Parsing of people from the lines of a table, with the errors of each line. Pure: its input is sheets of text."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from stempelwerk_cloud.kit.files.sheets import Row, Sheet
from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.http.schemas import FIRST_DAY, LAST_DAY, parse_day
from stempelwerk_cloud.kit.invisible import normalize_key
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN, USER, Role
from stempelwerk_cloud.people.directory.tables import key as name_key
from stempelwerk_cloud.people.employment.schemas import DEPARTMENT_LIMIT
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.planning.hours.schemas import WEEK_LIMIT
from stempelwerk_cloud.planning.importing import words

USERNAME, TAG, PASSWORD = "username", "tagId", "password"
NUMBER = "personnelNumber"
WEEKLY_MINUTES, WEEKLY_HOURS = "weeklyTargetMinutes", "weeklyHours"

_HEADS = {
    USERNAME: ("username", "benutzername", "name"),
    TAG: ("tagid", "tag", "chip"),
    "role": ("role", "rolle"),
    NUMBER: ("personnelnumber", "personalnummer"),
    "department": ("department", "abteilung"),
    "entryDate": ("entrydate", "eintritt", "eintrittsdatum"),
    WEEKLY_MINUTES: ("weeklytargetminutes", "sollminuten"),
    WEEKLY_HOURS: ("wochenstunden",),
    PASSWORD: ("password", "passwort"),
}
_BY_HEAD = {word: name for name, heads in _HEADS.items() for word in heads}
_ROLES: dict[str, Role] = {
    "": USER,
    "user": USER,
    "mitarbeiter": USER,
    "mitarbeiterin": USER,
    "companyadmin": COMPANY_ADMIN,
    "firmenadmin": COMPANY_ADMIN,
    "administrator": COMPANY_ADMIN,
    "administratorin": COMPANY_ADMIN,
}
_SHOWN_HEAD, _SHOWN_NAME = 40, 100
_BETWEEN = re.compile(r"[\s_\-./]+")
_NUMBER = re.compile(r"[0-9]{1,20}", re.ASCII)
_MINUTES = re.compile(r"[0-9]{1,5}", re.ASCII)
_HOURS = re.compile(r"([0-9]{1,3})(?:[.,]([0-9]{1,20})|:([0-5][0-9]))?", re.ASCII)
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ufffd]")
_GERMAN_DAY = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its number in the table. `values`: the readable cells by column; `errors`: German sentences.

    `typed_name`: the name as it was typed.
    """

    number: int
    values: Mapping[str, Any]
    errors: list[str] = field(default_factory=list)
    typed_name: str = ""


class _Head(NamedTuple):
    """The head of a list: the names of its columns, and the indices of its first column and of its row."""

    names: list[str]
    column: int
    row: int


def read(all_sheets: Sequence[Sheet]) -> list[Line]:
    """Returns the lines of the list. Raises 422 for unknown columns, no lines, or if it is unclear which sheet is the
    list.
    """
    sheet = _sheet_of_list(all_sheets)
    sheet.ensure_not_too_long()
    rows = sheet.rows
    if not rows:
        raise words.no_lines()
    head = _head(rows)
    lines = [_line(head, row) for row in rows[head.row + 1 :]]
    if not lines:
        raise words.no_lines()
    for line, refused in _twice(lines):
        line.errors.append(refused.message)
    return lines


def _sheet_of_list(all_sheets: Sequence[Sheet]) -> Sheet:
    """Returns the visible sheet with the list. Without a list it is the first visible sheet, whose head is then
    refused.

    Raises 422 for several lists, because an import must not skip one silently, and for a hidden list.
    """
    visible = [sheet for sheet in all_sheets if not sheet.hidden]
    lists = [sheet for sheet in visible if _row_of_head(sheet.rows) is not None]
    filled = [sheet for sheet in lists if _row_of_head(sheet.rows) != len(sheet.rows) - 1]
    if len(filled) > 1:
        raise words.several_lists([sheet.name for sheet in filled])
    if filled or lists:
        return (filled or lists)[0]
    hidden_list = next((sheet for sheet in all_sheets if sheet.hidden and _row_of_head(sheet.rows) is not None), None)
    if hidden_list is not None:
        raise words.hidden_list(hidden_list.name)
    return next((sheet for sheet in visible if sheet.rows), Sheet("", False, []))


def _row_of_head(rows: Sequence[Row]) -> int | None:
    """Returns the index of the first row that names the two required columns; None without such a row."""
    for index, row in enumerate(rows):
        if {_BY_HEAD.get(_plain(cell)) for cell in row.cells} >= {USERNAME, TAG}:
            return index
    return None


def _head(rows: Sequence[Row]) -> _Head:
    """Returns the head of a list, which may begin in any column and below titles. Raises 422 for unknown columns."""
    index = _row_of_head(rows) or 0
    for row in rows[:index]:
        if sum(bool(cell.strip()) for cell in row.cells) > 1:  # not a title: it may be a person
            raise words.head_below(rows[index].number)
    cells = rows[index].cells
    filled = [column for column, cell in enumerate(cells) if cell.strip()]
    names: list[str] = []
    for column in range(filled[0], filled[-1] + 1):
        word, shown_word = _plain(cells[column]), cells[column].strip()[:_SHOWN_HEAD]
        name = _BY_HEAD.get(word)
        if not shown_word:
            raise words.no_head(column + 1)
        if name is None:
            raise words.unknown_head(shown_word)
        if name in names or {name, *names} >= {WEEKLY_MINUTES, WEEKLY_HOURS}:
            raise words.head_twice(shown_word)
        names.append(name)
    for name in (USERNAME, TAG):
        if name not in names:
            raise words.head_missing(name)
    return _Head(names, filled[0], index)


def _line(head: _Head, row: Row) -> Line:
    line = Line(row.number, {}, [])
    cells = row.cells[head.column :]
    if any(map(_UNFIT.search, row.cells)):
        line.errors.append(words.unfit().message)
    elif any(cell.lstrip().startswith("=") for cell in row.cells):
        line.errors.append(words.formula().message)
    elif any(cell.strip() for cell in row.cells[: head.column]):
        line.errors.append(words.left_of_list().message)
    elif any(cell.strip() for cell in cells[len(head.names) :]):
        line.errors.append(words.too_many_cells().message)
    else:
        cells_by_head = dict(zip(head.names, [*cells, *[""] * len(head.names)], strict=False))
        typed = {name for column, name in enumerate(head.names, start=head.column) if column in row.typed}
        return _read_line(row.number, cells_by_head, typed)
    return line


def _read_line(number: int, cells_by_head: Mapping[str, str], typed: Collection[str]) -> Line:
    """Parses the cells of a line. `typed`: the columns whose cell is a number, a day or a time in the workbook."""
    values: dict[str, Any] = {}
    errors = []
    for name, cell in cells_by_head.items():
        try:
            if name == TAG and name in typed:
                raise words.tag_is_number()
            values[name] = _READERS[name](cell if name == PASSWORD else cell.strip())
        except Problem as refused:
            errors.append(refused.message)
    return Line(number, values, errors, cells_by_head[USERNAME].strip()[:_SHOWN_NAME])


def _twice(lines: list[Line]) -> Iterator[tuple[Line, Problem]]:
    """Yields each line that repeats a name, tag or personnel number of an earlier line, with the problem."""
    names: dict[str, int] = {}
    tags: dict[str, int] = {}
    numbers: dict[int, int] = {}
    for line in lines:
        if USERNAME in line.values:
            first = names.setdefault(name_key(line.values[USERNAME]), line.number)
            if first != line.number:
                yield line, words.name_twice(first)
        if TAG in line.values:
            first = tags.setdefault(line.values[TAG], line.number)
            if first != line.number:
                yield line, words.tag_twice(first)
        if line.values.get(NUMBER) is not None:
            first = numbers.setdefault(int(line.values[NUMBER]), line.number)
            if first != line.number:
                yield line, words.number_twice(first)


def _plain(word: str) -> str:
    return _BETWEEN.sub("", word.casefold())


def _role(text: str) -> Role:
    role = _ROLES.get(_plain(text))
    if role is None:
        raise words.no_role()
    return role


def _number(text: str) -> str | None:
    if text and not _NUMBER.fullmatch(text):
        raise words.no_number()
    return text or None


def _department(text: str) -> str | None:
    if len(text) > DEPARTMENT_LIMIT:
        raise words.department_too_long(DEPARTMENT_LIMIT)
    return normalize_key(text) or None


def _day(text: str) -> date | None:
    if not text:
        return None
    german = _GERMAN_DAY.fullmatch(text)
    try:
        day = date(int(german[3]), int(german[2]), int(german[1])) if german else parse_day(text)
    except ValueError:
        raise words.no_day() from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise words.no_day()
    return day


def _minutes(text: str) -> int | None:
    if not text:
        return None
    if not _MINUTES.fullmatch(text) or int(text) > WEEK_LIMIT:
        raise words.no_minutes()
    return int(text)


def _hours(text: str) -> int | None:
    """Returns hours (38,5 or 38:30) as minutes, rounded to the nearest one; None for an empty cell."""
    if not text:
        return None
    hours_match = _HOURS.fullmatch(text)
    if hours_match is None:
        raise words.no_hours()
    hours, decimals, minutes = hours_match.groups()
    exact = 60 * Decimal(f"{hours}.{decimals or 0}") + int(minutes or 0)
    if exact > WEEK_LIMIT:
        raise words.no_hours()
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP))


def _password(text: str) -> str | None:
    refusal = passwords.length_refusal(text) if text else None
    if refusal is not None:
        raise invalid(PASSWORD, refusal.sentence)
    return text or None


_READERS: dict[str, Callable[[str], Any]] = {
    USERNAME: users.read_name,
    TAG: users.read_tag,
    "role": _role,
    NUMBER: _number,
    "department": _department,
    "entryDate": _day,
    WEEKLY_MINUTES: _minutes,
    WEEKLY_HOURS: _hours,
    PASSWORD: _password,
}
