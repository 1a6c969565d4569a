"""Lists read page by page: by what they are sorted by (keyset), so that a late page costs no more than the first."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Select, literal, tuple_
from sqlalchemy.orm import Session

MOST = 5000
"""Limit for rows of a list that is requested without paging."""

Row = TypeVar("Row")


class NoSuchRow(LookupError):
    """The row that precedes the requested page does not exist, or not any more.

    `parameter` is the one that names it.
    """

    def __init__(self, value: str, parameter: str = "before") -> None:
        super().__init__(value)
        self.parameter = parameter


class PageRequest(NamedTuple):
    """The requested page: `limit` rows after the one with the id `after_id`."""

    limit: int = MOST
    after_id: str | None = None

    def behind(self, rows: Sequence[Row], id_of: Callable[[Row], str]) -> Sequence[Row]:
        """Returns the page of a list that is in memory, and one row more if more follow. Raises NoSuchRow."""
        begin = 0
        if self.after_id is not None:
            begin = next((index for index, row in enumerate(rows, 1) if id_of(row) == self.after_id), 0)
            if not begin:
                raise NoSuchRow(self.after_id)
        return rows[begin : begin + self.limit + 1]


def page(
    session: Session,
    query: Select[*tuple[Any, ...]],
    conditions: Sequence[ColumnElement[bool]],
    order: Sequence[Any],
    page_request: PageRequest,
    *,
    descending: bool = False,
) -> list[Any]:
    """Returns the rows of one page, and one more if more follow; `order` ends with the id. Raises NoSuchRow.

    The row `after_id` need not meet the conditions any more: its position is found in `query` without them.
    """
    matching = query.where(*conditions)
    if page_request.after_id is not None:
        columns = query.with_only_columns(*order, maintain_column_froms=True)
        page_key = session.execute(columns.where(order[-1] == page_request.after_id)).first()
        if page_key is None:
            raise NoSuchRow(page_request.after_id)
        row_key = tuple_(*order)
        start_key = tuple_(*(literal(value, column.type) for value, column in zip(page_key, order, strict=True)))
        matching = matching.where(row_key < start_key if descending else row_key > start_key)
    in_order = [column.desc() if descending else column for column in order]
    return list(session.execute(matching.order_by(*in_order).limit(page_request.limit + 1)).all())
