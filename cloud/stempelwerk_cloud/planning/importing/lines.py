"""What the lines of a table say of people, and what is wrong with each. Pure: the table comes in as rows of text."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from stempelwerk_cloud.kit.files.sheets import Rows
from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.http.schemas import FIRST_DAY, LAST_DAY, parse_day
from stempelwerk_cloud.kit.invisible import spelled
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN, USER, Role
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.planning.hours.service import WEEK_LIMIT
from stempelwerk_cloud.planning.importing import problems

USERNAME, TAG, PASSWORD = "username", "tagId", "password"
WEEKLY_MINUTES, WEEKLY_HOURS = "weeklyTargetMinutes", "weeklyHours"

_HEADS = {
    USERNAME: ("username", "benutzername", "name"),
    TAG: ("tagid", "tag", "chip"),
    "role": ("role", "rolle"),
    "personnelNumber": ("personnelnumber", "personalnummer"),
    "department": ("department", "abteilung"),
    "entryDate": ("entrydate", "eintritt", "eintrittsdatum"),
    WEEKLY_MINUTES: ("weeklytargetminutes", "sollminuten"),
    WEEKLY_HOURS: ("wochenstunden",),
    PASSWORD: ("password", "passwort"),
}
_BY_HEAD = {word: name for name, words in _HEADS.items() for word in words}
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
    """A line with its number in the table. `values`, by the heads, are those that could be read; `errors` sentences.

    `named`: the name as it was typed.
    """

    number: int
    values: Mapping[str, Any]
    errors: list[str] = field(default_factory=list)
    named: str = ""


def read(rows: Rows) -> list[Line]:
    """The lines below the head. 422 for a head that is none, and for a table without lines."""
    if not rows:
        raise problems.no_lines()
    heads = _heads(rows[0][1])
    lines = [_line(number, heads, cells) for number, cells in rows[1:]]
    if not lines:
        raise problems.no_lines()
    for line, refused in _twice(lines):
        line.errors.append(refused.message)
    return lines


def _heads(cells: list[str]) -> list[str]:
    heads: list[str] = []
    while cells and not cells[-1].strip():
        cells = cells[:-1]
    for cell in cells:
        word, shown = _plain(cell), cell.strip()[:_SHOWN_HEAD]
        name = _BY_HEAD.get(word)
        if name is None:
            raise problems.unknown_head(shown)
        if name in heads or {name, *heads} >= {WEEKLY_MINUTES, WEEKLY_HOURS}:
            raise problems.head_twice(shown)
        heads.append(name)
    for name in (USERNAME, TAG):
        if name not in heads:
            raise problems.head_missing(name)
    return heads


def _line(number: int, heads: list[str], cells: list[str]) -> Line:
    line = Line(number, {}, [])
    if any(map(_UNFIT.search, cells)):
        line.errors.append(problems.unfit().message)
    elif any(cell.lstrip().startswith("=") for cell in cells):
        line.errors.append(problems.formula().message)
    elif any(cell.strip() for cell in cells[len(heads) :]):
        line.errors.append(problems.too_many_cells().message)
    else:
        given = dict(zip(heads, [*cells, *[""] * len(heads)], strict=False))
        return _read_line(number, given)
    return line


def _read_line(number: int, given: Mapping[str, str]) -> Line:
    values: dict[str, Any] = {}
    errors = []
    for name, cell in given.items():
        try:
            values[name] = _READERS[name](cell if name == PASSWORD else cell.strip())
        except Problem as refused:
            errors.append(refused.message)
    return Line(number, values, errors, given[USERNAME].strip()[:_SHOWN_NAME])


def _twice(lines: list[Line]) -> Iterator[tuple[Line, Problem]]:
    """Lines whose name, or tag, stands in an earlier one."""
    names: dict[str, int] = {}
    tags: dict[str, int] = {}
    for line in lines:
        if USERNAME in line.values:
            first = names.setdefault(directory.name_key(line.values[USERNAME]), line.number)
            if first != line.number:
                yield line, problems.name_twice(first)
        if TAG in line.values:
            first = tags.setdefault(line.values[TAG], line.number)
            if first != line.number:
                yield line, problems.tag_twice(first)


def _plain(word: str) -> str:
    return _BETWEEN.sub("", word.casefold())


def _role(text: str) -> Role:
    role = _ROLES.get(_plain(text))
    if role is None:
        raise problems.no_role()
    return role


def _number(text: str) -> str | None:
    if text and not _NUMBER.fullmatch(text):
        raise problems.no_number()
    return text or None


def _department(text: str) -> str | None:
    if len(text) > employment.DEPARTMENT_LIMIT:
        raise problems.department_too_long(employment.DEPARTMENT_LIMIT)
    return spelled(text) or None


def _day(text: str) -> date | None:
    if not text:
        return None
    german = _GERMAN_DAY.fullmatch(text)
    try:
        day = date(int(german[3]), int(german[2]), int(german[1])) if german else parse_day(text)
    except ValueError:
        raise problems.no_day() from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise problems.no_day()
    return day


def _minutes(text: str) -> int | None:
    if not text:
        return None
    if not _MINUTES.fullmatch(text) or int(text) > WEEK_LIMIT:
        raise problems.no_minutes()
    return int(text)


def _hours(text: str) -> int | None:
    """Hours as minutes, to the nearest one."""
    if not text:
        return None
    found = _HOURS.fullmatch(text)
    if found is None:
        raise problems.no_hours()
    hours, decimals, minutes = found.groups()
    exact = 60 * Decimal(f"{hours}.{decimals or 0}") + int(minutes or 0)
    if exact > WEEK_LIMIT:
        raise problems.no_hours()
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP))


def _password(text: str) -> str | None:
    refusal = passwords.length_problem(text) if text else None
    if refusal is not None:
        raise invalid(PASSWORD, refusal)
    return text or None


_READERS: dict[str, Callable[[str], Any]] = {
    USERNAME: users.read_name,
    TAG: users.read_tag,
    "role": _role,
    "personnelNumber": _number,
    "department": _department,
    "entryDate": _day,
    WEEKLY_MINUTES: _minutes,
    WEEKLY_HOURS: _hours,
    PASSWORD: _password,
}
