"""JSON bodies and answers of the endpoints for free days."""

from typing import Annotated

from pydantic import Field, Strict, StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, Wire

FIRST_YEAR, LAST_YEAR = 1900, 2200
DAYS_LIMIT = 366

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class FreeDayRow(Wire):
    """A free day. `half`: half of the day is worked. `legal`: it is a holiday by law at the company's place."""

    date: DayField
    name: str
    half: bool
    legal: bool


class GivenDay(Wire):
    date: DayField
    name: Name
    half: Annotated[bool, Strict()] = False
    legal: Annotated[bool, Strict()] = False


class FreeDaysChange(Wire):
    """The free days of a year as a whole: days that are missing here are removed."""

    year: Annotated[int, Strict(), Field(ge=FIRST_YEAR, le=LAST_YEAR)]
    days: list[GivenDay] = Field(max_length=DAYS_LIMIT)
