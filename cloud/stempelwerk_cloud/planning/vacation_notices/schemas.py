"""JSON bodies and answers of the endpoints for vacation notices. Days are numbers with halves."""

from typing import Annotated

from pydantic import Field, Strict

from stempelwerk_cloud.kit.http.half_days import HalvesField
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, InstantField, Wire

FIRST_YEAR, LAST_YEAR = 2000, 2199

Year = Annotated[int, Field(ge=FIRST_YEAR, le=LAST_YEAR)]


class NoticeRow(Wire):
    """A person's vacation of a year: the remaining days (`days`), the last day for taking them, and the newest notice.

    `until` null: they do not lapse. `noticeDays`: the days that the notice names. `taken` is over, `planned` is
    approved and in the future; `remaining` = `allowance` + `carried` + `booked` − `taken` − `planned` − `lapsed`.
    """

    user_id: str
    username: str
    department: str | None
    days: HalvesField
    until: DayField | None
    sent_at: InstantField | None
    read_at: InstantField | None
    notice_days: HalvesField | None
    allowance: HalvesField
    carried: HalvesField
    booked: HalvesField
    taken: HalvesField
    planned: HalvesField
    reserved: HalvesField
    lapsed: HalvesField
    remaining: HalvesField


class Notices(Wire):
    """The year and the people to notify; without `userIds` all people with days that no notice names yet."""

    year: Annotated[Year, Strict()]
    user_ids: Annotated[list[IdField], Field(max_length=5000)] | None = None


class NoticesSent(Wire):
    """The number of people notified."""

    sent: int
