"""JSON of attendance. Times are local; the end of a night's shift lies on the day after."""

from stempelwerk_cloud.kit.http.schemas import TimeField, Wire


class UnexpectedPerson(Wire):
    """A person who came without a duty. `start` and `end` are the day's first and last; null: not known, or still to
    come.
    """

    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None


class ExpectedPerson(UnexpectedPerson):
    """A person with a duty. A person who has not come has the duty's times; `clockedIn` is null before it begins."""

    clocked_in: bool | None


class DayAttendance(Wire):
    expected: list[ExpectedPerson]
    unexpected: list[UnexpectedPerson]
