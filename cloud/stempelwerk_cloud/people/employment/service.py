"""Use cases of people's employments, and queries for other rooms."""

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
from stempelwerk_cloud.people.access.identity.revocation import end_access
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.companies import setting_changes, today_of, zones
from stempelwerk_cloud.people.directory.people import (
    add_person_values,
    find_user,
    lock_people,
    people_in,
    person_values,
    set_person_value,
    staff_in,
)
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.visibility import person_to_change, reachable_person
from stempelwerk_cloud.people.employment import values, words
from stempelwerk_cloud.people.employment.values import Employment, employment_of
from stempelwerk_cloud.people.employment.words import WEEKDAYS
from stempelwerk_cloud.people.work import UnitOfWork

CHANGED = Action("employment.changed")


def people_of(session: Session, company_id: str, user_ids: Collection[str] | None = None) -> dict[str, Employment]:
    """Returns the employment of each of these people, or of all who are not deleted, by user id. A person without
    stored values has the default employment.

    The caller ensures that `user_ids` belong to the company.
    """
    ids = [user.id for user in people_in(session, company_id)] if user_ids is None else user_ids
    changes_by_user = person_values(session, company_id, values.NAMES, user_ids)
    return {user_id: values.employment_of(changes_by_user.get(user_id, ())) for user_id in ids}


def departments_on(
    session: Session, company_id: str, day: date, user_ids: Collection[str] | None = None
) -> dict[str, str]:
    """Returns the department on a day by user id, of these people or of all. People without a department are left
    out.
    """
    changes_by_user = person_values(session, company_id, [values.DEPARTMENT], user_ids)
    departments = {
        user_id: values.employment_of(changes).department_on(day) for user_id, changes in changes_by_user.items()
    }
    return {user_id: department for user_id, department in departments.items() if department is not None}


def limits_of(session: Session, company_id: str, user_ids: Collection[str] | None = None) -> dict[str, DatedLimits]:
    """Returns the dated limits of working time by user id, of these people or of all. People who only ever have an
    adult's limits are left out.
    """
    if user_ids is not None and not user_ids:
        return {}
    changes_by_user = person_values(session, company_id, [values.LIMITS], user_ids)
    dated = {user_id: values.dated_limits(changes) for user_id, changes in changes_by_user.items()}
    return {
        user_id: person_limits
        for user_id, person_limits in dated.items()
        if any(limits != ADULT for _, limits in person_limits.from_days)
    }


def employment_on(work: UnitOfWork, user_id: str, day: date | None) -> tuple[Employment, date]:
    """Returns the employment of a person whom the caller may manage, and the day: `day`, or today. Raises 404, 403."""
    session = work.session
    user = reachable_person(session, work.caller, user_id)
    employment = people_of(session, user.company_id, [user.id])[user.id]
    return employment, day or today_of(session, user.company_id, work.now())


def change(
    work: UnitOfWork,
    user_id: str,
    new_values: Mapping[str, Any],
    requested_day: date | None,
    *,
    end_plans: bool = False,
) -> tuple[Employment, date]:
    """Sets these values of a person; dated ones from a local day on (`requested_day`, else today). Returns the new
    employment and that day.

    `new_values` maps `values.NAMES` to JSON values. Other values stay, even under parallel changes. Without a requested
    day the first workdays hold from the beginning. Entries that new limits affect are derived again in the same
    transaction. A person who has left is logged out of every browser. Raises 422 for an exit, or an account's begin,
    before the entry; 409 for an exit with later plans, unless `end_plans` ends them.
    """
    session = work.session
    user = person_to_change(session, work.caller, user_id)
    now = work.now()
    today = today_of(session, user.company_id, now)
    first = requested_day or today
    old_changes = _changes_of(session, user.company_id, user.id)
    new = list(
        filter(None, (_new(old_changes, name, value, requested_day, today) for name, value in new_values.items()))
    )
    start_days = {new_change.setting: new_change.valid_from for new_change in new}
    for new_change in new:
        set_person_value(session, user.company_id, user.id, new_change, now, work.actor_id)
    old_state = values.employment_of(old_changes)
    new_state = values.employment_of(_changes_of(session, user.company_id, user.id))
    if (
        new_state.entry_date is not None
        and new_state.exit_date is not None
        and new_state.exit_date < new_state.entry_date
    ):
        raise words.exit_before_entry()
    if (
        new_state.entry_date is not None
        and new_state.account_from is not None
        and new_state.account_from < new_state.entry_date
    ):
        raise words.account_before_entry()
    _audit_change(work, user, (old_state, new_state), start_days, first)
    if start_days:
        work.emit(FIGURES_CHANGED, company_id=user.company_id, user_ids=[user.id])
    if new_state.limits_on(first) != old_state.limits_on(first):
        limits_from = start_days[values.LIMITS]
        work.emit(PERSON_RULES_CHANGED, company_id=user.company_id, user_id=user.id, from_day=limits_from)
    if values.ENTRY_DATE in start_days:
        work.emit(EMPLOYED, company_id=user.company_id, user_ids=[user.id])
    if values.EXIT_DATE in new_values:
        _apply_exit(work, user, new_state, end_plans=end_plans)
    return new_state, first


def numbers_of(session: Session, company_id: str) -> list[tuple[User, str | None]]:
    """Returns the company's staff with their personnel numbers, by username; then deleted people, whose last wage may
    still need a number.
    """
    people = staff_in(session, company_id, deleted=True)
    employments = people_of(session, company_id, [user.id for user in people])
    return [(user, employments[user.id].personnel_number) for user in people]


def change_numbers(work: UnitOfWork, company_id: str, new_numbers: Mapping[str, str | None]) -> None:
    """Sets these personnel numbers by user id, all or nothing. Raises 404 for a person of another company, 409 if two
    people would share a number, compared as numbers. A deleted person's number is free, unless it is among these.
    """
    work.rules(company_id)
    lock_people(work.session, company_id, sorted(new_numbers))
    staff_numbers = numbers_of(work.session, company_id)
    deleted_users = {user.id: user for user, _ in staff_numbers if user.deleted_at is not None}
    current_numbers = {user.id: number for user, number in staff_numbers if user.id not in deleted_users}
    if not new_numbers.keys() <= current_numbers.keys() | deleted_users.keys():
        raise not_found()
    count = Counter(int(number) for number in {**current_numbers, **new_numbers}.values() if number is not None)
    if duplicates := [
        user_id for user_id, number in new_numbers.items() if number is not None and count[int(number)] > 1
    ]:
        raise words.duplicate_numbers(duplicates)
    for user_id, number in sorted(new_numbers.items()):
        if user_id in deleted_users:
            _change_number(work, deleted_users[user_id], number)
        else:
            change(work, user_id, {values.PERSONNEL_NUMBER: number}, None)


def _change_number(work: UnitOfWork, user: User, number: str | None) -> None:
    """Changes the number of a deleted person, whose other values no longer change."""
    now = work.now()
    today = today_of(work.session, user.company_id, now)
    old_changes = _changes_of(work.session, user.company_id, user.id)
    new = _new(old_changes, values.PERSONNEL_NUMBER, number, None, today)
    if new is None:
        return
    set_person_value(work.session, user.company_id, user.id, new, now, work.actor_id)
    new_changes = _changes_of(work.session, user.company_id, user.id)
    states = values.employment_of(old_changes), values.employment_of(new_changes)
    _audit_change(work, user, states, {values.PERSONNEL_NUMBER: new.valid_from}, today)


def assign_departments(
    work: UnitOfWork, company_id: str, departments: Mapping[str, str | None], from_day: date | None
) -> None:
    """Sets the departments of people, by user id, from a day on. `from_day` None: for all time, replacing all earlier
    values.

    The caller holds the locks of the people and has checked that they are the company's.
    """
    now = work.now()
    changes_by_user = person_values(work.session, company_id, values.NAMES, departments)
    for user_id, department in departments.items():
        old_changes = changes_by_user.get(user_id, [])
        start_days = [change.valid_from for change in old_changes if change.setting == values.DEPARTMENT]
        for start in {date.min, *start_days} if from_day is None else {from_day}:
            new = Change(values.DEPARTMENT, start, json.dumps(department))
            set_person_value(work.session, company_id, user_id, new, now, work.actor_id)
        user = find_user(work.session, company_id, user_id)
        first = from_day or date.max
        old_state, new_state = (
            values.employment_of(old_changes),
            values.employment_of(_changes_of(work.session, company_id, user_id)),
        )
        _audit_change(work, user, (old_state, new_state), {values.DEPARTMENT: from_day or date.min}, first)


def begin(work: UnitOfWork, company_id: str, newcomers: Sequence[tuple[User, Mapping[str, Any]]]) -> None:
    """Sets the first values of new people, which map `values.NAMES` to JSON values; dated ones hold from today on."""
    now = work.now()
    today = today_of(work.session, company_id, now)
    all_changes: list[tuple[str, Change]] = []
    for user, initial_values in newcomers:
        changes = [
            new for name, value in initial_values.items() if (new := _new((), name, value, None, today)) is not None
        ]
        all_changes += [(user.id, change) for change in changes]
        start_days = {change.setting: change.valid_from for change in changes}
        _audit_change(work, user, (Employment(), employment_of(changes)), start_days, today)
    add_person_values(work.session, company_id, all_changes, now, work.actor_id)


def settings_changed(work: UnitOfWork, company_id: str, from_day: date) -> None:
    """Recomputes the instant of each exit (`leaves_at`) after a change of settings, because the company's zone decides
    when its day ends.
    """
    leaving = {
        key: employment
        for key, employment in people_of(work.session, company_id).items()
        if employment.exit_date is not None
    }
    zone_on = zones(setting_changes(work.session, company_id))
    for user_id, employment in sorted(leaving.items()):
        find_user(work.session, company_id, user_id).leaves_at = values.leaves_at(employment, zone_on)
    work.session.flush()


def _apply_exit(work: UnitOfWork, user: User, employment: Employment, *, end_plans: bool) -> None:
    """Applies a changed exit date: ends or refuses later plans, and ends the access of a person who has left.

    If the exit is withdrawn, sessions from before it stay ended.
    """
    if employment.exit_date is not None:
        plans: list[tuple[str, str, date]] = []
        exit_details = {"company_id": user.company_id, "user_id": user.id, "last_day": employment.exit_date}
        work.emit(EXIT_SET, **exit_details, found=plans, end=end_plans)
        if plans and not end_plans:
            raise words.plans_after_exit(plans)
    had_left = user.has_left(work.now())
    zone_on = zones(setting_changes(work.session, user.company_id))
    user.leaves_at = values.leaves_at(employment, zone_on)
    work.session.flush()
    if had_left or user.has_left(work.now()):
        end_access(work, user.company_id, user_ids=[user.id])


def _changes_of(session: Session, company_id: str, user_id: str) -> Sequence[Change]:
    return person_values(session, company_id, values.NAMES, [user_id]).get(user_id, ())


def _new(changes: Sequence[Change], name: str, value: Any, requested_day: date | None, today: date) -> Change | None:
    """Returns the change to a new value; None if the value holds already. The first workdays and pay type, and undated
    values, hold from the beginning.
    """
    history = History(name, [change for change in changes if change.setting == name], None)
    if name in (values.WORKDAYS, values.PAY_TYPE):
        return history.set_from(value, requested_day, today, has_value=bool(history.changes))
    return history.set_from(value, (requested_day or today) if name in values.DATED else date.min, today)


def _audit_change(
    work: UnitOfWork, user: User, states: tuple[Employment, Employment], start_days: Mapping[str, date], first: date
) -> None:
    """Writes the changed values into the audit log. Values that do not differ from those in force before are left
    out.
    """
    old_values, new_values = (_audit_values(state, first) for state in states)
    changed = [name for name in start_days if old_values[name] != new_values[name]]
    if not changed:
        return
    dated = {"validFrom": first.isoformat()} if any(start_days[name] != date.min for name in changed) else {}
    audit_values = (
        {to_camel(name): state_values[name] for name in changed} | dated for state_values in (old_values, new_values)
    )
    work.audit(user.company_id, CHANGED, user.id, *audit_values)


def _audit_values(employment: Employment, day: date) -> dict[str, Any]:
    """Returns the values in force on a day for the audit log, by `values.NAMES`. Personal values are `ErasableText`."""
    number, entry, leaving = employment.personnel_number, employment.entry_date, employment.exit_date
    account_start = employment.account_from
    return {
        values.PERSONNEL_NUMBER: None if number is None else ErasableText(number),
        values.DEPARTMENT: employment.department_on(day),
        values.ENTRY_DATE: None if entry is None else entry.isoformat(),
        values.EXIT_DATE: None if leaving is None else leaving.isoformat(),
        values.ACCOUNT_FROM: None if account_start is None else account_start.isoformat(),
        values.WORKDAYS: [WEEKDAYS[weekday] for weekday in sorted(employment.workdays_on(day))],
        values.LIMITS: ErasableText(employment.limits_on(day)),
        values.PAY_TYPE: employment.pay_type_on(day),
        values.OPENING_MINUTES: employment.opening_minutes,
        values.OPENING_VACATION: str(number_of(employment.opening_vacation_halves)),
    }
