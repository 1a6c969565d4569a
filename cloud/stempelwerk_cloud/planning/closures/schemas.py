"""JSON bodies and answers of the endpoints for company holidays."""

from typing import Annotated, Literal

from pydantic import StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, Wire


class NewClosure(Wire):
    """Company holidays to create, both days included."""

    start_date: DayField
    end_date: DayField
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class ClosureRow(Wire):
    id: str
    start_date: DayField
    end_date: DayField
    name: str


class Skipped(Wire):
    """An employee who got no days, or only some.

    `pending_request`: their pending days stay, the other days are given. Otherwise no day is given: too few remain
    (`too_few_days`), or vacation is switched off (`no_vacation`).
    """

    user_id: str
    reason: Literal["pending_request", "too_few_days", "no_vacation"]


class CreatedRow(ClosureRow):
    """Company holidays after their creation. `created`: the number of people who got vacation."""

    created: int
    skipped: list[Skipped]
