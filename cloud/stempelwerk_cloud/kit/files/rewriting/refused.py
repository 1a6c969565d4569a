"""Why a file is refused: the words in which the child tells its parent."""

from enum import StrEnum

MOST_ROWS = 2001
"""Of a table, with its head line."""


class Reason(StrEnum):
    DAMAGED = "damaged"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_MANY_PAGES = "too_many_pages"
    ENCRYPTED = "encrypted"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_COMPLEX = "too_complex"


class Refused(Exception):
    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
