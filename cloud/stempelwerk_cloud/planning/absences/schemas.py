"""JSON bodies and answers of the endpoints for absences. Rows of absences for lists."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, get_args

from pydantic import Field, StrictBool, StringConstraints, WithJsonSchema
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import period
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit.http.paging import Bounds, Paging
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, Wire
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import names_of
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import queries, words
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence

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
    days: Annotated[list[IdField], Field(max_length=words.REPORT_DAYS)] = Field(default_factory=list)
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


def of_user(work: UnitOfWork, user_id: str, first: date | None, last: date | None) -> list[AbsenceRow]:
    """Returns a person's absences from `first` to `last`, oldest first.

    `domain/calendar.period` completes missing days. 422 if they are reversed or too many.
    """
    company_id = work.caller.subject_company_id
    today = today_of(work.session, company_id, work.now())
    first, last = period(first, last, today, words.PERIOD_DAYS)
    if first > last:
        raise words.period_reversed()
    if (last - first) // DAY >= words.PERIOD_DAYS:
        raise words.period_too_long()
    absences = queries.of_days(work.session, company_id, [user_id], first, last)
    return rows(work.session, company_id, filter_in_force(work.session, company_id, absences))


def of_company(work: UnitOfWork, status: str | None, bounds: Bounds, paging: Paging) -> list[AbsenceRow]:
    """Returns a page of the company's absences, newest day first; `status` None: of all statuses."""
    company_id = work.caller.subject_company_id
    absences = paging.cut(queries.in_company(work.session, company_id, status, bounds, paging.page_request))
    return rows(work.session, company_id, filter_in_force(work.session, company_id, absences))


def row(session: Session, absence: Absence) -> AbsenceRow:
    return rows(session, absence.company_id, [absence])[0]


def rows(session: Session, company_id: str, absences: Sequence[Absence]) -> list[AbsenceRow]:
    called = names_of(session, company_id, [absence.user_id for absence in absences])
    return [_row(absence, called.get(absence.user_id, "")) for absence in absences]


def _row(absence: Absence, username: str) -> AbsenceRow:
    return AbsenceRow.from_row(
        absence,
        sick_note_path=None if absence.file_id is None else f"/api/absences/{absence.id}/sick-note",
        username=username,
        certified=absence.noted_at is not None and absence.file_id is None,
    )
