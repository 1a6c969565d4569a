"""Reads a list page by page with its `Link` header."""

from collections.abc import Iterator
from typing import Any

from cloud.tests.world import Somebody


def pages(asker: Somebody, path: str) -> Iterator[list[dict[str, Any]]]:
    """The rows of each page, from this path on."""
    following: str | None = path
    while following is not None:
        answer = asker.get(following)
        assert answer.status_code == 200, answer.text
        yield answer.json()
        link = answer.headers.get("Link")
        following = None
        if link is not None:
            assert link.endswith('>; rel="next"')
            following = link[1 : link.index(">")]
