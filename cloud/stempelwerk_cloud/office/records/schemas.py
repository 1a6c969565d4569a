"""Bodies of the calls about a person's records."""

from typing import Annotated

from pydantic import StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, Wire


class ErasedRow(Wire):
    """`count` rows of `what` (German)."""

    what: str
    count: int


class KeptRow(ErasedRow):
    """`until`: the last day of its retention; null: while the company exists."""

    until: DayField | None
    why: str


class ErasureRow(Wire):
    erased: list[ErasedRow]
    kept: list[KeptRow]


class Erasing(Wire):
    comment: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
