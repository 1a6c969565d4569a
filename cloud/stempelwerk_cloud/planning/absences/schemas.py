"""Bodies of the calls about absences."""

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
    """One local day. The days of one Krankmeldung share `reportId` and the note; `sickNotePath` is null without one.

    `certified`: a note is not needed any more. `reason` of a special absence, and whether it is `credited` as worked.
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
    """A Krankmeldung from `startDate` to `endDate`, both included. `userId`: whom an administrator enters it for.

    An administrator may also enter a `special` absence, with its `reason`; it is excused at once, and `credited` as
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
    """`wholeReport`: all days of its report that are open, and not just this one; `days`: these, too, by their ids.

    `certified`, when excusing: the health insurance has confirmed it (eAU), which counts as a note.
    """

    whole_report: StrictBool = False
    days: Annotated[list[IdField], Field(max_length=problems.REPORT_DAYS)] = Field(default_factory=list)
    certified: StrictBool = False
    comment: Text | None = None


class Cancellation(Wire):
    """`report`: all days of its report that are in force."""

    comment: Sentence
    report: StrictBool = False


class Reopening(Wire):
    """`report`: all days of its report that were decided like this one."""

    comment: Sentence
    report: StrictBool = False
