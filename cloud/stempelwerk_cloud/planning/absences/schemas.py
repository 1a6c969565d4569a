"""Bodies of the calls about absences."""

from typing import Annotated, Literal, get_args

from pydantic import WithJsonSchema

from stempelwerk_cloud.kit.http.schemas import DayField, IdField, Wire

Kind = Literal["sick", "missing"]
Status = Literal["open", "excused", "declined"]
StatusWanted = Literal["open", "excused", "declined", "all"]


class AbsenceRow(Wire):
    """One local day. The days of one Krankmeldung share `reportId` and the note; `sickNotePath` is null without one."""

    id: str
    date: DayField
    kind: Annotated[str, WithJsonSchema({"type": "string", "enum": list(get_args(Kind))})]
    status: Annotated[str, WithJsonSchema({"type": "string", "enum": list(get_args(Status))})]
    sick_note_path: str | None
    user_message: str | None
    user_id: str
    username: str
    report_id: str


class SickReport(Wire):
    """A Krankmeldung from `startDate` to `endDate`, both included. `userId`: whom an administrator enters it for."""

    start_date: DayField
    end_date: DayField
    user_id: IdField | None = None


class AbsenceMessage(Wire):
    message: str


class AbsenceDecision(Wire):
    """`wholeReport`: all days of its report that are open, and not just this one."""

    whole_report: bool = False
