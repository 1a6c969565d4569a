"""Taking back absences: employees withdraw them, administrators cancel or reopen them.

A withdrawn or cancelled day is as if it had never been reported: a missed duty becomes one again, and a sick note
without any other day is erased.
"""

from collections.abc import Callable, Sequence

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import actions, queries, words
from stempelwerk_cloud.planning.absences.queries import CANCELLED, DECLINED, EXCUSED, MISSING, OPEN, SPECIAL
from stempelwerk_cloud.planning.absences.sick_notes import notes, notifications
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_not_purged


def withdraw(work: UnitOfWork, absence_id: str, *, whole_report: bool) -> None:
    """Withdraws the caller's own report: the day, or with `whole_report` all its open days.

    409 for a decided day, or a missed duty that was never reported.
    """
    absence = notes.find_own(work, absence_id)
    report_days = _together(work, absence, [OPEN], words.not_withdrawn, whole_report=whole_report)
    if absence.kind == MISSING:
        raise words.not_reported()
    _cancel(work, report_days, actions.WITHDRAWN, None)
    name = notifications.name_of(work, absence.company_id, absence.user_id)
    when = german.when(report_days[0].date, report_days[-1].date)
    payload = {"what": "sick", "date": report_days[0].date.isoformat(), "userId": absence.user_id}
    payload |= {notifications.REPORT: absence.report_id}
    notifications.notify_administrators(work, absence.company_id, *words.withdrawn(name, when), payload)
    requests.refresh_pages(work, absence.company_id, [absence.user_id])


def cancel(work: UnitOfWork, absence_id: str, comment: str, *, whole_report: bool) -> Absence:
    """Cancels an open or excused day, or all such days of its report, and notifies its employee. 409 for other days."""
    absence = _standing(work, absence_id)
    report_days = _together(work, absence, [OPEN, EXCUSED], words.already_decided, whole_report=whole_report)
    _cancel(work, report_days, actions.CANCELLED, comment)
    _notify(work, report_days, words.CANCELLED, comment)
    return absence


def reopen(work: UnitOfWork, absence_id: str, comment: str, *, whole_report: bool) -> Absence:
    """Reopens a decided day, or all of its report that were decided alike, and notifies its employee.

    409 unless it is decided, or if one of the days has another absence.
    """
    absence = _standing(work, absence_id)
    session, company_id, status = work.session, absence.company_id, absence.status
    if absence.kind == SPECIAL or status not in {EXCUSED, DECLINED}:
        raise words.not_decided()
    report_days = [absence] if not whole_report else queries.of_report(session, company_id, absence.report_id)
    report_days = [day for day in report_days if day.status == status]
    ensure_not_purged(session, company_id, min(day.date for day in report_days))
    ids = {day.id for day in report_days}
    for day in report_days:
        other_absences = queries.of_days(session, company_id, [day.user_id], day.date, day.date)
        if any(
            other_absence.id not in ids and other_absence.status in {OPEN, EXCUSED} for other_absence in other_absences
        ):
            raise words.already_reported(day.date)
    for day in report_days:
        day.status, day.decided_at, day.decided_by, day.comment = OPEN, None, None, comment
        session.flush()
        work.audit(company_id, actions.REOPENED, day.id, new_values=audit_values(day))
    _notify(work, report_days, words.REOPENED, comment)
    return absence


def audit_values(absence: Absence) -> dict[str, str]:
    return {"userId": absence.user_id, "date": absence.date.isoformat()}


def _standing(work: UnitOfWork, absence_id: str) -> Absence:
    absence = requests.find(work, Absence, absence_id)
    if not filter_in_force(work.session, absence.company_id, [absence]):
        raise not_found()
    return absence


def _together(
    work: UnitOfWork,
    absence: Absence,
    statuses: Sequence[str],
    refusal: Callable[[str | None], Problem],
    *,
    whole_report: bool,
) -> list[Absence]:
    """Returns the day, or with `whole_report` the days of its report with one of these statuses.

    Raises `refusal` if the day itself has another status.
    """
    if absence.status not in statuses:
        requests.must_be_open(work, absence, refusal, statuses[0])
    if not whole_report:
        return [absence]
    of_report = queries.of_report(work.session, absence.company_id, absence.report_id)
    return [day for day in of_report if day.status in statuses]


def _cancel(work: UnitOfWork, report_days: Sequence[Absence], action: Action, comment: str | None) -> None:
    ensure_not_purged(work.session, report_days[0].company_id, min(day.date for day in report_days))
    files = {day.file_id for day in report_days if day.file_id is not None}
    for day in report_days:
        was_missing, day.was_missing = day.was_missing, False
        work.audit(day.company_id, action, day.id, old_values=audit_values(day))
        day.file_id = day.noted_at = None
        if was_missing:
            day.kind, day.status, day.report_id = MISSING, OPEN, work.new_id()
            day.reason, day.credited = None, True
            day.decided_at = day.decided_by = day.comment = None
            work.session.flush()
        else:
            day.comment = comment
            requests.decide(work, day, CANCELLED)
    notes.drop(work.session, report_days[0].company_id, files)


def _notify(work: UnitOfWork, report_days: Sequence[Absence], verb: str, comment: str) -> None:
    first, last = report_days[0], report_days[-1]
    title, body = words.cancelled_or_reopened(verb, german.when(first.date, last.date), comment)
    payload = {"status": first.status, "date": first.date.isoformat(), notifications.REPORT: first.report_id}
    if first.user_id != work.actor_id:
        messages.send(work, first.company_id, [first.user_id], "absence_response", title, body, payload)
    requests.refresh_pages(work, first.company_id, [first.user_id])
