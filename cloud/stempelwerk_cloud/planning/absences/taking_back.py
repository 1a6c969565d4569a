"""Absences that are taken back: withdrawn by their person, cancelled or opened again by an administrator.

A withdrawn day is as if nobody had reported it: one on which somebody did not come becomes that again, and a sick note
that no other day has is erased.
"""

from collections.abc import Callable, Sequence

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.service import Action
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import actions, notes, problems, repository, telling
from stempelwerk_cloud.planning.absences.repository import CANCELLED, DECLINED, EXCUSED, MISSING, OPEN, SPECIAL
from stempelwerk_cloud.planning.days.service import standing
from stempelwerk_cloud.planning.facts.tables import Absence
from stempelwerk_cloud.timekeeping.entries import service as entries


def withdraw(work: Work, absence_id: str, *, whole_report: bool) -> None:
    """The caller's own report, that day or all its open ones, is gone. 409 once it is decided, or without one."""
    absence = notes.own(work, absence_id)
    found = _together(work, absence, [OPEN], problems.not_withdrawn, whole_report=whole_report)
    if absence.kind == MISSING:
        raise problems.not_reported()
    _cancel(work, found, actions.WITHDRAWN, None)
    name = telling.name_of(work, absence.company_id, absence.user_id)
    when = german.when(found[0].date, found[-1].date)
    payload = {"what": "sick", "date": found[0].date.isoformat(), "userId": absence.user_id}
    payload |= {telling.REPORT: absence.report_id}
    body = f"{name} hat die Krankmeldung {when} zurückgezogen."
    telling.to_administrators(work, absence.company_id, "Krankmeldung zurückgezogen", body, payload)
    requests.refresh_pages(work, absence.company_id, [absence.user_id])


def cancel(work: Work, absence_id: str, comment: str, *, whole_report: bool) -> Absence:
    """Takes an open or excused day back, or all such days of its report, and tells its person. 409 for others."""
    absence = _standing(work, absence_id)
    found = _together(work, absence, [OPEN, EXCUSED], problems.already_decided, whole_report=whole_report)
    _cancel(work, found, actions.CANCELLED, comment)
    _tell(work, found, "storniert", comment)
    return absence


def reopen(work: Work, absence_id: str, comment: str, *, whole_report: bool) -> Absence:
    """Makes a decided day one to decide again, or all of its report that were decided alike, and tells its person.

    409 unless it is one, or a day of them has another absence.
    """
    absence = _standing(work, absence_id)
    session, company_id, status = work.session, absence.company_id, absence.status
    if absence.kind == SPECIAL or status not in {EXCUSED, DECLINED}:
        raise problems.not_decided()
    found = [absence] if not whole_report else repository.of_report(session, company_id, absence.report_id)
    found = [one for one in found if one.status == status]
    entries.must_be_kept(session, company_id, min(one.date for one in found))
    ids = {one.id for one in found}
    for one in found:
        others = repository.of_days(session, company_id, [one.user_id], one.date, one.date)
        if any(other.id not in ids and other.status in {OPEN, EXCUSED} for other in others):
            raise problems.already_reported(one.date)
    for one in found:
        one.status, one.decided_at, one.decided_by, one.comment = OPEN, None, None, comment
        session.flush()
        work.audit(company_id, actions.REOPENED, one.id, after=audit_values(one))
    _tell(work, found, "wieder geöffnet", comment)
    return absence


def audit_values(absence: Absence) -> dict[str, str]:
    return {"userId": absence.user_id, "date": absence.date.isoformat()}


def _standing(work: Work, absence_id: str) -> Absence:
    absence = requests.find(work, Absence, absence_id)
    if not standing(work.session, absence.company_id, [absence]):
        raise not_found()
    return absence


def _together(
    work: Work,
    absence: Absence,
    statuses: Sequence[str],
    refusal: Callable[[str | None], Problem],
    *,
    whole_report: bool,
) -> list[Absence]:
    """The day, or those of its report that have one of these statuses; as `refusal` says if the day has none."""
    if absence.status not in statuses:
        requests.must_be_open(work, absence, refusal, statuses[0])
    if not whole_report:
        return [absence]
    of_report = repository.of_report(work.session, absence.company_id, absence.report_id)
    return [one for one in of_report if one.status in statuses]


def _cancel(work: Work, found: Sequence[Absence], action: Action, comment: str | None) -> None:
    entries.must_be_kept(work.session, found[0].company_id, min(one.date for one in found))
    files = {one.file_id for one in found if one.file_id is not None}
    for one in found:
        was_missing, one.was_missing = one.was_missing, False
        work.audit(one.company_id, action, one.id, before=audit_values(one))
        one.file_id = one.noted_at = None
        if was_missing:
            one.kind, one.status, one.report_id = MISSING, OPEN, work.new_id()
            one.reason, one.credited = None, True
            one.decided_at = one.decided_by = one.comment = None
            work.session.flush()
        else:
            one.comment = comment
            requests.decide(work, one, CANCELLED)
    notes.drop(work.session, found[0].company_id, files)


def _tell(work: Work, found: Sequence[Absence], verb: str, comment: str) -> None:
    first, last = found[0], found[-1]
    body = f"Deine Abwesenheit {german.when(first.date, last.date)} wurde {verb}. {german.remark(comment)}"
    said = {"status": first.status, "date": first.date.isoformat(), telling.REPORT: first.report_id}
    if first.user_id != work.by:
        messages.send(work, first.company_id, [first.user_id], "absence_response", f"Abwesenheit {verb}", body, said)
    requests.refresh_pages(work, first.company_id, [first.user_id])
