"""The reasons for refusing a file, as the child reports them to its parent."""

from enum import StrEnum

from stempelwerk_cloud.kit.subprocesses.job import Refused

__all__ = ["MOST_COLUMNS", "MOST_ROWS", "Reason", "Refused"]

MOST_ROWS = 2001
"""Limit for rows of a table, with its head line."""
MOST_COLUMNS = 64
"""The limit for each row of a table."""


class Reason(StrEnum):
    DAMAGED = "damaged"
    TOO_MANY_PIXELS = "too_many_pixels"
    TOO_MANY_PAGES = "too_many_pages"
    ENCRYPTED = "encrypted"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_MANY_COLUMNS = "too_many_columns"
    UNBALANCED = "unbalanced"
    UNSUPPORTED = "unsupported"
    TOO_COMPLEX = "too_complex"
