"""Descriptions of tables and columns, in SQLAlchemy's `info`: readers, German names, and the fate of rows when their
person leaves.

Each is written at its table. The data view, a person's file (also in a company's archive) and its erasure walk the
schema by `shown_tables` and `parts`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from graphlib import TopologicalSorter
from typing import Any, Final, Literal, NamedTuple, TypeVar, cast

from sqlalchemy import Column, ColumnElement, Table, select

from stempelwerk_cloud.kit.database.columns import Base

PERSON: Final = "person"
COMPANY: Final = "company"
_LAST: Final = 1000
_KEY: Final = "description"
AnyTable = TypeVar("AnyTable", bound=type[Base])
Condition = Callable[[Table, str, str], ColumnElement[bool]]
"""A function (table, company_id, user_id) that returns the SQL condition for the rows about that person."""
Fate = Literal["at once", "with times", "stays"]
"""The fate of rows after their person has left. `at once`: erased at once. `with times`: a record of working time, or
its basis, erased with the times. `stays`: retained for another period, or for good.
"""
Form = Literal["plain", "minute of day", "seconds", "json"]
"""The form of a value on a page. `minute of day`: local minutes since midnight. `seconds`: an instant with its seconds.
"""

Role = Literal["subject", "party", "actor"]
"""The role of a person whose id is in a column. `subject`: the row is about them. `party`: so it is, and a person's
file has their username. `actor`: they did it; a person's file has their username.
"""
_NO_WORDS: Final[Mapping[str, str]] = {}


class ColumnDescription(NamedTuple):
    """A column's description.

    - `label`: its German name on the page of a person's file. `is_key`: the page leaves it out.
    - `form` and `words`: how the page shows its values, and German words for some of them.
    - `person`: the values are ids of people, in that role.
    - `free_text`: it is emptied at once when its person has left and the row stays.
    - `reader`: as in `Part`, if the column has another reader than its table.
    - `in_file`, `in_view`: whether a person's file and the data view have it.
    """

    label: str | None = None
    is_key: bool = False
    form: Form = "plain"
    words: Mapping[str, str] = _NO_WORDS
    person: Role | None = None
    free_text: bool = False
    reader: str | None = None
    in_file: bool = True
    in_view: bool = True


_DEFAULTS: Final = {
    "company_id": ColumnDescription(in_file=False, in_view=False),
    "id": ColumnDescription(is_key=True),
    "user_id": ColumnDescription(is_key=True, person="subject"),
}
"""The descriptions of columns that describe nothing themselves, by name."""


def described(
    label: str | None = None,
    *,
    is_key: bool = False,
    form: Form = "plain",
    words: Mapping[str, str] = _NO_WORDS,
    person: Role | None = None,
    free_text: bool = False,
    reader: str | None = None,
    in_file: bool = True,
    in_view: bool = True,
) -> dict[str, Any]:
    """Returns the `info` of a column: its `ColumnDescription`."""
    return {_KEY: ColumnDescription(label, is_key, form, words, person, free_text, reader, in_file, in_view)}


def hidden() -> dict[str, Any]:
    """Returns the `info` of a column that no reader gets: it opens something, or has no meaning for a reader."""
    return described(in_file=False, in_view=False)


class PersonRows(NamedTuple):
    """A way to find a person's rows. `through`: the tables whose rows it needs, which are therefore erased later."""

    condition: Condition
    through: tuple[type[Base], ...] = ()


def rows_by(column: str) -> PersonRows:
    """Returns the way to rows with the person's id in that column."""
    return PersonRows(lambda table, _, user_id: table.c[column] == user_id)


def rows_through(related: type[Base], column: str) -> PersonRows:
    """Returns the way to rows whose column references one of the person's rows in the related table."""

    def condition(table: Table, company_id: str, user_id: str) -> ColumnElement[bool]:
        (part,) = table_description(related).parts
        related_ids = select(part.table.c.id).where(part.rows(company_id, user_id))
        return table.c[column].in_(related_ids)

    return PersonRows(condition, (related,))


@dataclass(eq=False)
class Part:
    """A table, or some of its rows, in a person's data.

    - `title`: its German name.
    - `reader`: the callers who get it in addition to the person. `PERSON`: no other caller. `COMPANY`: the company's
      administrators. A module: the administrators while the company has it.
    - `person_rows`: the way to a person's rows, by default the column `user_id`.
    - `left_out`: why no data file has it, in German; None: it is in the file.
    - `rank`: its place in the file, by default after all others.
    """

    title: str
    reader: str
    fate: Fate = "at once"
    rank: int = field(default=_LAST, kw_only=True)
    person_rows: PersonRows = field(default=rows_by("user_id"), kw_only=True)
    left_out: str | None = field(default=None, kw_only=True)
    table: Table = field(init=False)

    def rows(self, company_id: str, user_id: str) -> ColumnElement[bool]:
        """Returns the SQL condition for the rows about a person of the company."""
        return (self.table.c.company_id == company_id) & self.person_rows.condition(self.table, company_id, user_id)


CompanyRows = Callable[[Table, str, datetime], ColumnElement[bool]]
"""A function (table, company_id, now) that returns the SQL condition for the rows of that company."""


class Shown(NamedTuple):
    """A table's place in the data view. `rank`: its order, by default after all others. `name`: its name there, if
    another. `module`: the module that a company needs for it. `rows`: which rows are the company's.
    """

    rank: int = _LAST
    name: str | None = None
    module: str | None = None
    rows: CompanyRows = lambda table, company_id, _: table.c.company_id == company_id


class NotShown(NamedTuple):
    """The reason why the data view leaves out a table."""

    reason: str


ACCESS: Final = NotShown("logins and their secrets")
INSTALLATION: Final = NotShown("the installation's own, of no company")
MACHINERY: Final = NotShown("the service's own notes, which repeat other tables")
PERSONAL: Final = NotShown("private to its person")
ONLY_DECIDED: Final = "names only the administrator who decided, as the audit log does"


class TableDescription(NamedTuple):
    """A table's description. `no_part`: why a table that may name a person is no part of a person's data."""

    view: Shown | NotShown
    parts: tuple[Part, ...]
    no_part: str | None


def describe_table(view: Shown | NotShown, *parts: Part, no_part: str | None = None) -> Callable[[AnyTable], AnyTable]:
    """Returns the decorator that gives a table its `TableDescription`."""

    def decorate(model: AnyTable) -> AnyTable:
        table = cast("Table", model.__table__)
        for part in parts:
            part.table = table
        table.info[_KEY] = TableDescription(view, parts, no_part)
        return model

    return decorate


def table_description(table: Table | type[Base]) -> TableDescription:
    """Returns a table's description. KeyError for a table without one."""
    described_table = table if isinstance(table, Table) else cast("Table", table.__table__)
    description: TableDescription = described_table.info[_KEY]
    return description


def column_description(column: Column[Any]) -> ColumnDescription:
    """Returns a column's description, or the default of its name."""
    description: ColumnDescription = column.info.get(_KEY) or _DEFAULTS.get(column.key, ColumnDescription())
    return description


def parts() -> list[Part]:
    """Returns all parts of a person's data, in the order of display."""
    all_parts = [part for table in Base.metadata.tables.values() for part in table_description(table).parts]
    return sorted(all_parts, key=lambda part: (part.rank, part.table.name))


def in_erasure_order(to_erase: Iterable[Part]) -> list[Part]:
    """Returns parts in their order of erasure: each before the tables that its rows are found through."""
    unordered = list(to_erase)
    sorter: TopologicalSorter[str] = TopologicalSorter({part.table.name: () for part in unordered})
    for part in unordered:
        for related in part.person_rows.through:
            sorter.add(related.__tablename__, part.table.name)
    places = {name: place for place, name in enumerate(sorter.static_order())}
    return sorted(unordered, key=lambda part: places[part.table.name])


def columns_in_file(table: Table, gets: Callable[[str], bool] = lambda _: True) -> list[Column[Any]]:
    """Returns the columns of a person's file. `gets`: whether its reader gets the parts of a `Part.reader`."""
    descriptions = [(column, column_description(column)) for column in table.columns]
    return [
        column
        for column, description in descriptions
        if description.in_file and (description.reader is None or gets(description.reader))
    ]


def shown_tables() -> list[tuple[Table, Shown]]:
    """Returns the tables of the data view, in its order."""
    views = [(table, table_description(table).view) for table in Base.metadata.tables.values()]
    shown = [(table, view) for table, view in views if isinstance(view, Shown)]
    return sorted(shown, key=lambda pair: (pair[1].rank, pair[0].name))


def columns_in_view(table: Table) -> list[Column[Any]]:
    """Returns the columns of the data view."""
    return [column for column in table.columns if column_description(column).in_view]


def columns_with(table: Table, *roles: Role) -> list[Column[Any]]:
    """Returns the columns whose values are ids of people in one of these roles."""
    return [column for column in table.columns if column_description(column).person in roles]
