"""JSON bodies and answers of the endpoints for absences."""

from typing import Annotated, Literal, get_args

from pydantic import Field, StrictBool, StringConstraints, WithJsonSchema

from stempelwerk_cloud.kit.http.schemas import DayField, IdField, Wire
from stempelwerk_cloud.planning.absences import problems

Kind = Literal["sick", "missing", "special"]
Status = Literal["open", "excused", "declined", "cancelled"]
StatusWanted = Literal["open", "excused", "declined", "cancelled", "all"]
TEXT_LIMIT = 2000
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=TEXT_LIMIT)]
Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TEXT_LIMIT)]


class AbsenceRow(Wire):
    """An absence on one local day. The days of one report share `reportId` and the sick note (`sickNotePath`; null
    without one).

    `certified`: a note is not needed any more. `reason`: of a special absence. `credited`: whether the day counts as
    worked.
    """

    id: str
    date: DayField
    kind: Annotated[str, WithJsonSchema({"type": "string", "enum": list(get_args(Kind))})]
    status: Annotated[str, WithJsonSchema({"type": "string", "enum": list(get_args(Status))})]
    sick_note_path: str | None
    user_message: str | None
    user_id: str
    username: str
    report_id: str
    certified: bool
    reason: str | None
    credited: bool
    comment: str | None


class SickReport(Wire):
    """A report of illness from `startDate` to `endDate`, both included. `userId`: the employee, if an administrator
    enters it.

    An administrator may also enter a `special` absence with its `reason`; it is excused at once. It is `credited` as
    worked unless that is denied, or the reason is "unbezahlt" or "Elternzeit": on such days the contract rests, and no
    hours are owed. Elternzeit and Mutterschutz have any length.
    """

    start_date: DayField
    end_date: DayField
    user_id: IdField | None = None
    kind: Literal["sick", "special"] = "sick"
    reason: Text | None = None
    credited: StrictBool | None = None


class AbsenceMessage(Wire):
    message: str


class AbsenceDecision(Wire):
    """A decision about an absence. `wholeReport`: about all open days of its report; `days`: also about these, by their
    ids.

    `certified`, when excusing: the health insurance has confirmed the illness (eAU), which counts as a note.
    """

    whole_report: StrictBool = False
    days: Annotated[list[IdField], Field(max_length=problems.REPORT_DAYS)] = Field(default_factory=list)
    certified: StrictBool = False
    comment: Text | None = None


class Cancellation(Wire):
    """A cancellation with its reason. `report`: of all days of the report that are in force."""

    comment: Sentence
    report: StrictBool = False


class Reopening(Wire):
    """The reopening of a decided absence, with its reason. `report`: of all days of the report that were
    decided alike.
    """

    comment: Sentence
    report: StrictBool = False
