"""Paged lists: an answer's `Link` (RFC 8288) names the next page.

Where rows are sorted by their ids, an id is enough to continue from (`before`). A list that is sorted by an instant
continues from a `Place` (`after`), because its last row may leave the list or move before the next page is requested.
Other lists continue after the row with the id `before`, which keeps its position (`Paging`).
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Depends, Query, Request, Response
from pydantic import AfterValidator

from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.kit.database.pages import MOST, NoSuchRow, PageRequest
from stempelwerk_cloud.kit.http.problems import invalid
from stempelwerk_cloud.kit.http.schemas import BeforeField, DayField

Row = TypeVar("Row")

_PLACE = re.compile(r"^(-?[0-9]{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9]{1,9})$")

_FIRST_MS = ms_of(datetime.min.replace(tzinfo=UTC))


class Place(NamedTuple):
    """The position of a page's last row in a list sorted by an instant. `no` distinguishes rows with the same instant
    and id.
    """

    instant: datetime
    id: str
    no: int

    def __str__(self) -> str:
        return f"{ms_of(self.instant)}.{self.id}.{self.no}"

    @classmethod
    def read(cls, text: str | None) -> "Place | None":
        """Parses the text that `__str__` returns and `PlaceField` has validated; None for None."""
        match = None if text is None else _PLACE.match(text)
        return None if match is None else cls(from_ms(max(int(match[1]), _FIRST_MS)), match[2], int(match[3]))


def _place_text(text: str | None) -> str | None:
    if text is not None and not _PLACE.match(text):
        raise NoSuchRow(text, "after")
    return text


PlaceField = Annotated[
    str | None,
    AfterValidator(_place_text),
    Query(
        description="Where the page before ended, as its `Link` says.",
        json_schema_extra={"pattern": _PLACE.pattern},
    ),
]


def name_next(request: Request, response: Response, **parameter: object) -> None:
    """Sets the `Link` to the next page: this request with the given parameter (`before` or `after`). None: there is no
    next page.
    """
    ((name, place),) = parameter.items()
    if place is not None:
        next_url = request.url.include_query_params(**{name: place})
        response.headers["Link"] = f'<{next_url.path}?{next_url.query}>; rel="next"'


class Paging(NamedTuple):
    """The requested part of a list: `limit` rows after the one with the id `before`; by default up to 5,000."""

    request: Request
    response: Response
    page_request: PageRequest

    def cut(self, rows: Sequence[Row], id_of: Callable[[Row], str] = attrgetter("id")) -> Sequence[Row]:
        """Returns at most `limit` of the rows, and sets the `Link` if there is one row more."""
        limit = self.page_request.limit
        name_next(self.request, self.response, before=id_of(rows[limit - 1]) if len(rows) > limit else None)
        return rows[:limit]

    def cut_whole(self, rows: Sequence[Row], id_of: Callable[[Row], str] = attrgetter("id")) -> Sequence[Row]:
        """Returns the page of a short list that has been read completely. Raises NoSuchRow."""
        return self.cut(self.page_request.behind(rows, id_of), id_of)


def _paging(
    request: Request,
    response: Response,
    limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
    before: BeforeField = None,
) -> Paging:
    return Paging(request, response, PageRequest(limit, before))


PagingDep = Annotated[Paging, Depends(_paging)]


class Bounds(NamedTuple):
    """The first and last day of the requested part of a list; None: no bound."""

    first: date | None = None
    last: date | None = None

    def touching(self, first: Any, last: Any) -> list[Any]:
        """Returns the conditions that a row's span, in these columns of its first and last day, overlaps with the
        days.
        """
        conditions = [] if self.first is None else [last >= self.first]
        return conditions if self.last is None else [*conditions, first <= self.last]


def _bounds(
    first: Annotated[DayField | None, Query(alias="from")] = None,
    last: Annotated[DayField | None, Query(alias="to")] = None,
) -> Bounds:
    if first is not None and last is not None and first > last:
        raise invalid("from", "Der Anfang liegt nach dem Ende.")
    return Bounds(first, last)


BoundsDep = Annotated[Bounds, Depends(_bounds)]
