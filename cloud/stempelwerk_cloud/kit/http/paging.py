"""Lists that are told page by page: an answer's `Link` (RFC 8288) names what follows.

Where rows are sorted by their ids, an id is enough to go on from (`before`). A list that is sorted by an instant goes
on from a `Place` (`after`): the row that stood there may have left the list, or stand elsewhere, by then.
"""

import re
from datetime import UTC, datetime
from typing import Annotated, NamedTuple

from fastapi import Query, Request, Response

from stempelwerk_cloud.domain.instants import from_ms, ms_of

_PLACE = re.compile(r"^(-?[0-9]{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9]{1,9})$")

_FIRST_MS = ms_of(datetime.min.replace(tzinfo=UTC))


class Place(NamedTuple):
    """The key of the row at which a page ended. `no` tells rows of one instant and one id apart."""

    at: datetime
    id: str
    no: int

    def __str__(self) -> str:
        return f"{ms_of(self.at)}.{self.id}.{self.no}"

    @classmethod
    def read(cls, text: str | None) -> "Place | None":
        """What `__str__` wrote, and `PlaceField` let in."""
        found = None if text is None else _PLACE.match(text)
        return None if found is None else cls(from_ms(max(int(found[1]), _FIRST_MS)), found[2], int(found[3]))


PlaceField = Annotated[
    str | None, Query(pattern=_PLACE.pattern, description="Where the page before ended, as its `Link` says.")
]


def name_next(request: Request, response: Response, **parameter: object) -> None:
    """The same request for what follows: with this parameter (`before` or `after`); None: nothing follows."""
    ((name, place),) = parameter.items()
    if place is not None:
        following = request.url.include_query_params(**{name: place})
        response.headers["Link"] = f'<{following.path}?{following.query}>; rel="next"'
