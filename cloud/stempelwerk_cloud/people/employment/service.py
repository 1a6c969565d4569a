"""Use cases of employments, and what other rooms ask of them."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from pydantic.alias_generators import to_camel
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.domain.working_time_act import ADULT, DatedLimits
from stempelwerk_cloud.kit.dated import Change, History
from stempelwerk_cloud.kit.events import EMPLOYED, EXIT_SET, FIGURES_CHANGED, PERSON_RULES_CHANGED
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.access.service import end_access
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.employment import actions, problems, values
from stempelwerk_cloud.people.employment.schemas import DEPARTMENT_LIMIT, Department, MaybeDepartment
from stempelwerk_cloud.people.employment.texts import WEEKDAYS
from stempelwerk_cloud.people.employment.values import NAMES, Employment, employment_of
from stempelwerk_cloud.people.work import Work

__all__ = [
    "DEPARTMENT_LIMIT",
    "NAMES",
    "WEEKDAYS",
    "Department",
    "Employment",
    "MaybeDepartment",
    "assign_departments",
    "begin",
    "change",
    "departments_on",
    "employment_of",
    "employment_on",
    "limits_of",
    "number_holders",
    "people_of",
]


def people_of(session: Session, company_id: str, user_ids: Collection[str] | None = None) -> dict[str, Employment]:
    """The employment of each of these people, or of everybody who is not deleted; a plain one of whom nothing is known.

    Who asks for people by id has made sure that they are the company's.
    """
    asked = [user.id for user in directory.people_in(session, company_id)] if user_ids is None else user_ids
    known = directory.person_values(session, company_id, values.NAMES, user_ids)
    return {user_id: values.employment_of(known.get(user_id, ())) for user_id in asked}


def departments_on(
    session: Session, company_id: str, day: date, user_ids: Collection[str] | None = None
) -> dict[str, str]:
    """Of which department these people, or all, are on a day; who is of none is left out."""
    known = directory.person_values(session, company_id, [values.DEPARTMENT], user_ids)
    found = {user_id: values.employment_of(changes).department_on(day) for user_id, changes in known.items()}
    return {user_id: department for user_id, department in found.items() if department is not None}


def limits_of(session: Session, company_id: str, user_ids: Collection[str] | None = None) -> dict[str, DatedLimits]:
    """Returns the dated limits of the company's people, or of these: of those who ever have others than an adult's."""
    if user_ids is not None and not user_ids:
        return {}
    known = directory.person_values(session, company_id, [values.LIMITS], user_ids)
    dated = {user_id: values.dated_limits(changes) for user_id, changes in known.items()}
    return {user_id: one for user_id, one in dated.items() if any(limits != ADULT for _, limits in one.from_days)}


def employment_on(work: Work, user_id: str, day: date | None) -> tuple[Employment, date]:
    """The employment of a person whom the caller may manage, and the day asked for: today, if none is. 404, 403."""
    session = work.session
    user = directory.reachable_person(session, work.caller, user_id)
    found = people_of(session, user.company_id, [user.id])[user.id]
    return found, day or directory.today_of(session, user.company_id, work.now())


def change(
    work: Work, user_id: str, said: Mapping[str, Any], asked: date | None, *, end_plans: bool = False
) -> tuple[Employment, date]:
    """Lets these values hold, the dated ones from a local day on (`asked`, else today's); which day that is.

    `said` is by `values.NAMES`, as JSON has it. What is not said stays, whoever changes it at the same time. Without a
    day that is named the first workdays hold from the beginning. 422 for an exit, or an account's begin, before the
    entry. Entries that new limits shape are derived again in the same step. 409 for an exit that plans lie behind,
    unless they are to end (`end_plans`); who has left is out on every browser.
    """
    session = work.session
    user = directory.person_to_change(session, work.caller, user_id)
    now = work.now()
    today = directory.today_of(session, user.company_id, now)
    first = asked or today
    before = _changes_of(session, user.company_id, user.id)
    new = list(filter(None, (_new(before, name, value, asked, today) for name, value in said.items())))
    starts = {one.setting: one.valid_from for one in new}
    for one in new:
        directory.set_person_value(session, user.company_id, user.id, one, now, work.by)
    was = values.employment_of(before)
    became = values.employment_of(_changes_of(session, user.company_id, user.id))
    if became.entry_date is not None and became.exit_date is not None and became.exit_date < became.entry_date:
        raise problems.exit_before_entry()
    if became.entry_date is not None and became.account_from is not None and became.account_from < became.entry_date:
        raise problems.account_before_entry()
    _tell(work, user, (was, became), starts, first)
    if starts:
        work.emit(FIGURES_CHANGED, company_id=user.company_id, user_ids=[user.id])
    if became.limits_on(first) != was.limits_on(first):
        since = starts[values.LIMITS]
        work.emit(PERSON_RULES_CHANGED, company_id=user.company_id, user_id=user.id, from_day=since)
    if values.ENTRY_DATE in starts:
        work.emit(EMPLOYED, company_id=user.company_id, user_ids=[user.id])
    if values.EXIT_DATE in said:
        _leave(work, user, became, end_plans=end_plans)
    return became, first


def numbers_of(session: Session, company_id: str) -> list[tuple[User, str | None]]:
    """The company's staff with their personnel numbers, by username; then who was deleted, whose last wage may still
    wait for one.
    """
    people = directory.staff_in(session, company_id, deleted=True)
    known = people_of(session, company_id, [user.id for user in people])
    return [(user, known[user.id].personnel_number) for user in people]


def number_holders(session: Session, company_id: str) -> dict[int, str]:
    """Returns the username by personnel number, compared as numbers. The numbers of deleted people are free."""
    return {
        int(number): user.username
        for user, number in numbers_of(session, company_id)
        if number is not None and user.deleted_at is None
    }


def change_numbers(work: Work, company_id: str, said: Mapping[str, str | None]) -> None:
    """Gives people these personnel numbers, all or none. 404 for who is not the company's; 409 if one would be two
    people's, compared as numbers. The number of somebody who was deleted is free, unless it is among these.
    """
    work.rules(company_id)
    directory.lock_people(work.session, company_id, sorted(said))
    found = numbers_of(work.session, company_id)
    left = {user.id: user for user, _ in found if user.deleted_at is not None}
    now = {user.id: number for user, number in found if user.id not in left}
    if not said.keys() <= now.keys() | left.keys():
        raise not_found()
    count = Counter(int(number) for number in {**now, **said}.values() if number is not None)
    if twice := [user_id for user_id, number in said.items() if number is not None and count[int(number)] > 1]:
        raise problems.duplicate_numbers(twice)
    for user_id, number in sorted(said.items()):
        if user_id in left:
            _change_number(work, left[user_id], number)
        else:
            change(work, user_id, {values.PERSONNEL_NUMBER: number}, None)


def _change_number(work: Work, user: User, number: str | None) -> None:
    """Of somebody who was deleted, and of whom nothing else changes any more."""
    now = work.now()
    today = directory.today_of(work.session, user.company_id, now)
    before = _changes_of(work.session, user.company_id, user.id)
    new = _new(before, values.PERSONNEL_NUMBER, number, None, today)
    if new is None:
        return
    directory.set_person_value(work.session, user.company_id, user.id, new, now, work.by)
    after = _changes_of(work.session, user.company_id, user.id)
    states = values.employment_of(before), values.employment_of(after)
    _tell(work, user, states, {values.PERSONNEL_NUMBER: new.valid_from}, today)


def assign_departments(work: Work, company_id: str, chosen: Mapping[str, str | None], since: date | None) -> None:
    """Lets people be of these departments from a day on; None: for all time, whatever was said before.

    Whoever calls holds them and has made sure that they are the company's.
    """
    now = work.now()
    known = directory.person_values(work.session, company_id, values.NAMES, chosen)
    for user_id, department in chosen.items():
        before = known.get(user_id, [])
        said = [one.valid_from for one in before if one.setting == values.DEPARTMENT]
        for start in {date.min, *said} if since is None else {since}:
            new = Change(values.DEPARTMENT, start, json.dumps(department))
            directory.set_person_value(work.session, company_id, user_id, new, now, work.by)
        user = directory.find_user(work.session, company_id, user_id)
        first = since or date.max
        was, became = values.employment_of(before), values.employment_of(_changes_of(work.session, company_id, user_id))
        _tell(work, user, (was, became), {values.DEPARTMENT: since or date.min}, first)


def begin(work: Work, company_id: str, said: Sequence[tuple[User, Mapping[str, Any]]]) -> None:
    """What holds of new people, by `values.NAMES` as JSON has it; what is dated, from today on."""
    now = work.now()
    today = directory.today_of(work.session, company_id, now)
    written: list[tuple[str, Change]] = []
    for user, one in said:
        changes = [new for name, value in one.items() if (new := _new((), name, value, None, today)) is not None]
        written += [(user.id, change) for change in changes]
        starts = {change.setting: change.valid_from for change in changes}
        _tell(work, user, (Employment(), employment_of(changes)), starts, today)
    directory.add_person_values(work.session, company_id, written, now, work.by)


def settings_changed(work: Work, company_id: str, from_day: date) -> None:
    """A day of exit ends when the company's zone says so; whose has ended by that is out."""
    leaving = {key: one for key, one in people_of(work.session, company_id).items() if one.exit_date is not None}
    zone_on = directory.zones(directory.setting_changes(work.session, company_id))
    for user_id, employment in sorted(leaving.items()):
        directory.find_user(work.session, company_id, user_id).leaves_at = values.leaves_at(employment, zone_on)
    work.session.flush()


def _leave(work: Work, user: User, employment: Employment, *, end_plans: bool) -> None:
    """What an exit, or its taking back, comes to: no plans behind it, and no access once it is over.

    What a browser was given before somebody left does not come back with them.
    """
    if employment.exit_date is not None:
        found: list[tuple[str, str, date]] = []
        whose = {"company_id": user.company_id, "user_id": user.id, "last_day": employment.exit_date}
        work.emit(EXIT_SET, **whose, found=found, end=end_plans)
        if found and not end_plans:
            raise problems.plans_after_exit(found)
    had_left = user.has_left(work.now())
    zone_on = directory.zones(directory.setting_changes(work.session, user.company_id))
    user.leaves_at = values.leaves_at(employment, zone_on)
    work.session.flush()
    if had_left or user.has_left(work.now()):
        end_access(work, user.company_id, user_ids=[user.id])


def _changes_of(session: Session, company_id: str, user_id: str) -> Sequence[Change]:
    return directory.person_values(session, company_id, values.NAMES, [user_id]).get(user_id, ())


def _new(before: Sequence[Change], name: str, value: Any, asked: date | None, today: date) -> Change | None:
    """The value, if it is new, from when it is to hold: the first workdays from ever, what has no days from ever."""
    history = History(name, [change for change in before if change.setting == name], None)
    if name in (values.WORKDAYS, values.PAY_TYPE):
        return history.say(value, asked, today, given=bool(history.said))
    return history.say(value, (asked or today) if name in values.DATED else date.min, today)


def _tell(
    work: Work, user: User, states: tuple[Employment, Employment], starts: Mapping[str, date], first: date
) -> None:
    """Writes into the log what has changed; what was only said for the first time has not."""
    was, became = (_told(one, first) for one in states)
    changed = [name for name in starts if was[name] != became[name]]
    if not changed:
        return
    dated = {"validFrom": first.isoformat()} if any(starts[name] != date.min for name in changed) else {}
    told = ({to_camel(name): one[name] for name in changed} | dated for one in (was, became))
    work.audit(user.company_id, actions.CHANGED, user.id, *told)


def _told(employment: Employment, day: date) -> dict[str, Any]:
    """What holds on a day, for the log, by `values.NAMES`. What speaks of the person alone can be erased."""
    number, entry, leaving = employment.personnel_number, employment.entry_date, employment.exit_date
    begins = employment.account_from
    return {
        values.PERSONNEL_NUMBER: None if number is None else ErasableText(number),
        values.DEPARTMENT: employment.department_on(day),
        values.ENTRY_DATE: None if entry is None else entry.isoformat(),
        values.EXIT_DATE: None if leaving is None else leaving.isoformat(),
        values.ACCOUNT_FROM: None if begins is None else begins.isoformat(),
        values.WORKDAYS: [WEEKDAYS[one] for one in sorted(employment.workdays_on(day))],
        values.LIMITS: ErasableText(employment.limits_on(day)),
        values.PAY_TYPE: employment.pay_type_on(day),
        values.OPENING_MINUTES: employment.opening_minutes,
        values.OPENING_VACATION: str(number_of(employment.opening_vacation_halves)),
    }
