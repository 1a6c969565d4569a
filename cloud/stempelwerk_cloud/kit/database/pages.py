"""Lists read page by page: by what they are sorted by (keyset), so that a late page costs no more than the first."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Select, literal, tuple_
from sqlalchemy.orm import Session

MOST = 5000
"""Rows of a list of which no page is asked for."""

Row = TypeVar("Row")


class NoSuchRow(LookupError):
    """The row behind which a page is to begin does not exist, or not any more. `parameter` is the one that names it."""

    def __init__(self, value: str, parameter: str = "before") -> None:
        super().__init__(value)
        self.parameter = parameter


class Wanted(NamedTuple):
    """`limit` rows, behind the one with the id `before`."""

    limit: int = MOST
    before: str | None = None

    def behind(self, rows: Sequence[Row], id_of: Callable[[Row], str]) -> Sequence[Row]:
        """The page of a list that is known as a whole, and one row more where there is one. Raises NoSuchRow."""
        begin = 0
        if self.before is not None:
            begin = next((place for place, row in enumerate(rows, 1) if id_of(row) == self.before), 0)
            if not begin:
                raise NoSuchRow(self.before)
        return rows[begin : begin + self.limit + 1]


def page(
    session: Session,
    every: Select[*tuple[Any, ...]],
    conditions: Sequence[ColumnElement[bool]],
    order: Sequence[Any],
    wanted: Wanted,
    *,
    descending: bool = False,
) -> list[Any]:
    """The rows of one page, and one more where more follow; `order` ends with the id. Raises NoSuchRow.

    The row `before` has its place among `every` also where the conditions leave it out by now.
    """
    found = every.where(*conditions)
    if wanted.before is not None:
        columns = every.with_only_columns(*order, maintain_column_froms=True)
        place = session.execute(columns.where(order[-1] == wanted.before)).first()
        if place is None:
            raise NoSuchRow(wanted.before)
        here = tuple_(*order)
        there = tuple_(*(literal(value, column.type) for value, column in zip(place, order, strict=True)))
        found = found.where(here < there if descending else here > there)
    in_order = [column.desc() if descending else column for column in order]
    return list(session.execute(found.order_by(*in_order).limit(wanted.limit + 1)).all())
