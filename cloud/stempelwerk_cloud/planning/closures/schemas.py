"""Bodies of the calls about company holidays."""

from typing import Annotated, Literal

from pydantic import StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, Wire


class NewClosure(Wire):
    """Both days included."""

    start_date: DayField
    end_date: DayField
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class ClosureRow(Wire):
    id: str
    start_date: DayField
    end_date: DayField
    name: str


class Skipped(Wire):
    """`pending_request`: the pending days stay, the other days are given; else no day is given: `too_few_days` remain,
    or vacation is switched off (`no_vacation`).
    """

    user_id: str
    reason: Literal["pending_request", "too_few_days", "no_vacation"]


class CreatedRow(ClosureRow):
    """`created`: how many people have vacation by it."""

    created: int
    skipped: list[Skipped]
