"""Reports of illness (Krankmeldungen), by the employee or entered by an administrator. They stay open until a
decision.

The diagnosis is never asked for and appears in no message.
"""

from datetime import date

from stempelwerk_cloud.domain.calendar import days, months_after
from stempelwerk_cloud.domain.days import PARENTS_REASONS, UNPAID_REASONS
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import Planned
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.http.problems import forbidden
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.callers import ADMIN, USER
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import find_user
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import actions, queries, words
from stempelwerk_cloud.planning.absences.queries import EXCUSED, IN_FORCE, MISSING, OPEN, SICK, SPECIAL
from stempelwerk_cloud.planning.absences.sick_notes import notifications
from stempelwerk_cloud.planning.days.service import load
from stempelwerk_cloud.planning.facts.tables import Absence

_UNPAID = frozenset(reason.casefold() for reason in UNPAID_REASONS)
"""Reasons of special absences, in lower case, that are only credited if the administrator chooses it."""


def report(work: UnitOfWork, start: date, end: date, user_id: str | None) -> list[Absence]:
    """Reports the person ill from `start` to `end`, one absence a day; an open missed duty of a day becomes its
    absence.

    `user_id`: the person; None: the caller. For an administrator 422 without it, or for a system administrator; for an
    employee 403 with a colleague's. 409 for a day with another absence in force, 422 for days that cannot be reported.
    """
    absences = _make_days(work, start, end, user_id)
    audit_values = {"userId": absences[0].user_id, "startDate": start.isoformat(), "endDate": end.isoformat()}
    work.audit(absences[0].company_id, actions.REPORTED, absences[0].report_id, new_values=audit_values)
    _notify(work, absences[0].company_id, absences[0].user_id, absences[0].report_id, start, end)
    return absences


def special(
    work: UnitOfWork, start: date, end: date, user_id: str | None, reason: str, *, credited: bool | None
) -> list[Absence]:
    """Enters days off for another reason, excused at once. 403 unless the caller is an administrator; otherwise as
    `report`.

    `credited`: whether the days count as worked; None: by the reason.
    """
    if work.caller.role == USER:
        raise forbidden()
    if not reason:
        raise words.reason_missing()
    absences = _make_days(work, start, end, user_id, reason)
    for day in absences:
        day.kind, day.reason = SPECIAL, reason
        day.credited = reason.casefold() not in _UNPAID if credited is None else credited
        requests.decide(work, day, EXCUSED)
    company_id, employee_id = absences[0].company_id, absences[0].user_id
    audit_values = {
        "userId": employee_id,
        "startDate": start.isoformat(),
        "endDate": end.isoformat(),
        "credited": absences[0].credited,
    }
    spoken = audit_values | {"reason": ErasableText(reason, employee_id)}
    work.audit(company_id, actions.SPECIAL, absences[0].report_id, new_values=spoken)
    if employee_id != work.actor_id:
        title, body = words.special_entered(reason, german.when(start, end))
        payload = {
            "startDate": start.isoformat(),
            "endDate": end.isoformat(),
            notifications.REPORT: absences[0].report_id,
        }
        messages.send(work, company_id, [employee_id], "absence", title, body, payload)
    requests.refresh_pages(work, company_id, [employee_id])
    return absences


def _make_days(
    work: UnitOfWork, start: date, end: date, user_id: str | None, reason: str | None = None
) -> list[Absence]:
    """Creates the days as open absences by illness. `reason`: of the special absence that the caller makes of them."""
    person = requests.resolve_subject(work, user_id, words.user_missing)
    company_id, employee_id = person.company_id, person.id
    work.plan(company_id)
    if find_user(work.session, company_id, employee_id).role == ADMIN:
        raise words.never_ill()
    _check_days(start, end, today_of(work.session, company_id, work.now()), reason)
    person_days = load(work.session, company_id, [employee_id], start, end, facts=()).people[employee_id]
    if not person_days.employed_on(start):
        raise (
            words.before_entry() if person_days.entry is not None and start < person_days.entry else words.after_exit()
        )
    if not person_days.employed_on(end):
        raise words.after_exit()
    present = queries.of_days(work.session, company_id, [employee_id], start, end)
    stands = {absence.date: absence for absence in present if absence.status in IN_FORCE}
    refused = [absence.date for absence in stands.values() if absence.kind != MISSING or absence.status != OPEN]
    if refused:
        raise words.already_reported(min(refused))
    report_id = work.new_id()
    absences = [
        _become_sick(stands[day], report_id) if day in stands else _new(work, company_id, employee_id, day, report_id)
        for day in days(start, end)
    ]
    work.session.flush()
    return absences


def _check_days(start: date, end: date, today: date, reason: str | None) -> None:
    """Raises 422 for invalid days. Elternzeit and Mutterschutz have any length, and may be in the past or far ahead."""
    if end < start:
        raise words.days_reversed()
    count = (end - start) // DAY + 1
    if reason in PARENTS_REASONS:
        if count > words.PARENTS_DAYS:
            raise words.too_many_days_as_parent()
        return
    if count > words.REPORT_DAYS:
        raise words.too_many_days() if reason is None else words.too_many_days_away()
    if start < months_after(today, -12):
        raise words.too_long_ago()
    if (start - today) // DAY > words.DAYS_AHEAD:
        raise words.too_far_ahead()


def _new(work: UnitOfWork, company_id: str, user_id: str, day: date, report_id: str) -> Absence:
    absence = Absence(
        company_id=company_id,
        id=work.new_id(),
        report_id=report_id,
        user_id=user_id,
        date=day,
        kind=SICK,
        status=OPEN,
        created_at=work.now(),
    )
    work.session.add(absence)
    return absence


def _become_sick(missed: Absence, report_id: str) -> Absence:
    missed.kind, missed.report_id, missed.was_missing = SICK, report_id, True
    return missed


def _notify(work: UnitOfWork, company_id: str, user_id: str, report_id: str, start: date, end: date) -> None:
    when = german.when(start, end)
    payload = {
        "what": "sick",
        "startDate": start.isoformat(),
        "endDate": end.isoformat(),
        notifications.REPORT: report_id,
    }
    name, duties = notifications.name_of(work, company_id, user_id), _duties(work, company_id, user_id, start, end)
    admin_payload = payload | {"userId": user_id}
    if work.actor_id == user_id:
        title, body = words.sick(name, when, duties)
        notifications.notify_administrators(work, company_id, title, body, admin_payload)
    else:
        if duties:
            title, body = words.sick_in_the_name_of(name, when, duties)
            notifications.notify_administrators(work, company_id, title, body, admin_payload, everybody=True)
        messages.send(work, company_id, [user_id], "absence", *words.sick_entered(when), payload)
    requests.refresh_pages(work, company_id, [user_id])


def _duties(work: UnitOfWork, company_id: str, user_id: str, start: date, end: date) -> list[Planned]:
    """Returns the person's duties from `start` to `end`, in order."""
    person = load(work.session, company_id, [user_id], start, end, facts=["duties"]).people[user_id]
    return [duty for _, duty in sorted(person.duties.items())]
