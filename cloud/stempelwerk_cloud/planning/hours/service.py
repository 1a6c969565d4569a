"""Use cases of opening hours and weekly targets, and the interface for other rooms to read them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.targets import WeeklyTargets
from stempelwerk_cloud.kit import dated, german
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.dated import Change, History, InForce
from stempelwerk_cloud.kit.events import FIGURES_CHANGED
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.directory.companies import set_setting_from, setting_changes, settings_on, today_of
from stempelwerk_cloud.people.directory.people import (
    add_person_values,
    lock_people,
    people_in,
    person_values,
    set_person_value,
)
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.employment.words import WEEKDAYS
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts import hours as values
from stempelwerk_cloud.planning.hours import words

CONFIG = Action("hours.config")
TARGET = Action("hours.target")


class Given(NamedTuple):
    """A person with the weekly minutes that were set for them in particular; None: not set."""

    user: User
    minutes: int | None


def targets_of(session: Session, company_id: str, user_ids: Collection[str] | None = None) -> dict[str, WeeklyTargets]:
    """Returns the weekly targets of these people by the company's mode; None: of all who are not deleted.

    A caller that names people has verified that they belong to the company.
    """
    person_ids = [user.id for user in people_in(session, company_id)] if user_ids is None else user_ids
    targets = values.Targets(setting_changes(session, company_id))
    own_targets = person_values(session, company_id, [values.WEEKLY_TARGET], user_ids)
    return {user_id: targets.for_person(own_targets.get(user_id, ())) for user_id in person_ids}


def hours_on(work: UnitOfWork, company_id: str, day: date | None) -> InForce:
    """Returns the company's settings in force on a day, today by default."""
    return settings_on(work.session, company_id, day or _today(work, company_id))


def change_hours(
    work: UnitOfWork, company_id: str, new_values: Mapping[str, Any], valid_from: date | None
) -> tuple[InForce, date]:
    """Sets opening hours, mode or uniform minutes from `valid_from` on, else from today.

    Returns the settings in force then, and that day. `new_values` is by the names of `values.SETTINGS`, with values as
    in JSON; other settings stay. Without `valid_from` the first mode and minutes, and the first opening hours, apply
    from the beginning.
    """
    session = work.session
    work.rules(company_id)  # they are settings of the company
    locks.take(session, Lock.PLAN, company_id)
    now = work.now()
    today = today_of(session, company_id, now)
    first = valid_from or today
    changes_before = setting_changes(session, company_id)
    people = person_values(session, company_id, [values.WEEKLY_TARGET]).values()
    history = dated.histories(changes_before, *values.SETTINGS)
    minutes = history[values.UNIFORM_MINUTES].has_value or any(_target(own_changes).has_value for own_changes in people)
    for setting, setting_history in history.items():
        if setting.name in new_values:
            # A mode gives no targets while no minutes are set.
            is_given = setting_history.has_value and (minutes or setting is not values.MODE)
            new = setting_history.set_from(new_values[setting.name], valid_from, today, has_value=is_given)
            if new is not None:
                set_setting_from(session, company_id, new, now, work.actor_id)
    session.flush()
    work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=[user.id for user in _people(session, company_id)])
    new_rules = settings_on(session, company_id, first)
    was, current = _audit_values(InForce(changes_before, first)), _audit_values(new_rules)
    if was != current:
        validity = {"validFrom": first.isoformat()}
        changed = [name for name in current if was[name] != current[name]]
        states = ({name: state[name] for name in changed} | validity for state in (was, current))
        work.audit(company_id, CONFIG, None, *states)
    return new_rules, first


def targets_on(work: UnitOfWork, company_id: str, day: date | None) -> list[Given]:
    """Returns all people except system administrators, by username, with the minutes that were set for them on a day
    (or today).
    """
    return _own_targets(work.session, company_id, day or _today(work, company_id))


def change_targets(
    work: UnitOfWork, company_id: str, items: Iterable[tuple[str, int | None]], valid_from: date | None
) -> list[Given]:
    """Sets people's own weekly minutes (None: not set) from `valid_from` on, else from today; all of them or nothing.

    Without `valid_from` a person's first minutes apply from the beginning. 404 for a person of another company, 422 for
    a person named twice. Returns the minutes of all people on that day.
    """
    session = work.session
    work.company(company_id)
    targets_by_user: dict[str, int | None] = {}
    for index, (user_id, minutes) in enumerate(items):
        if user_id in targets_by_user:
            raise words.named_twice(index)
        targets_by_user[user_id] = minutes
    lock_people(session, company_id, targets_by_user)
    locks.take(session, Lock.PLAN, company_id)
    now = work.now()
    today = today_of(session, company_id, now)
    if not targets_by_user.keys() <= {user.id for user in _people(session, company_id)}:
        raise not_found()
    own_values = person_values(session, company_id, [values.WEEKLY_TARGET], targets_by_user)
    for user_id, minutes in targets_by_user.items():
        own_changes = own_values.get(user_id, [])
        new = _target(own_changes).set_from(minutes, valid_from, today)
        if new is not None:
            start = new.valid_from
            set_person_value(session, company_id, user_id, new, now, work.actor_id)
            validity = {} if start == date.min else {"validFrom": start.isoformat()}
            was, new_minutes = values.given_to(own_changes, start), minutes
            states = ({"weeklyTargetMinutes": target_minutes} | validity for target_minutes in (was, new_minutes))
            work.audit(company_id, TARGET, user_id, *states)
    work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=sorted(targets_by_user))
    return _own_targets(session, company_id, valid_from or today)


def begin_targets(work: UnitOfWork, company_id: str, minutes_by_user: Mapping[str, int]) -> None:
    """Sets the own weekly minutes of new people, from the beginning."""
    changes = [
        (user_id, Change(values.WEEKLY_TARGET, date.min, str(minutes))) for user_id, minutes in minutes_by_user.items()
    ]
    add_person_values(work.session, company_id, changes, work.now(), work.actor_id)
    for user_id, minutes in minutes_by_user.items():
        work.audit(company_id, TARGET, user_id, {"weeklyTargetMinutes": None}, {"weeklyTargetMinutes": minutes})


def own_target(work: UnitOfWork) -> int:
    """Returns the caller's weekly target in minutes, in force today by the company's mode; 0 without a target."""
    user_id, company_id = work.caller.user_id, work.caller.company_id
    return targets_of(work.session, company_id, [user_id])[user_id].on(_today(work, company_id))


def _today(work: UnitOfWork, company_id: str) -> date:
    return today_of(work.session, company_id, work.now())


def _people(session: Session, company_id: str) -> list[User]:
    return [user for user in people_in(session, company_id) if user.role != ADMIN]


def _own_targets(session: Session, company_id: str, day: date) -> list[Given]:
    own_values = person_values(session, company_id, [values.WEEKLY_TARGET])
    return [Given(user, values.given_to(own_values.get(user.id, ()), day)) for user in _people(session, company_id)]


def _target(changes: Sequence[Change]) -> History:
    return History(values.WEEKLY_TARGET, changes, None)


def _audit_values(in_force: InForce) -> dict[str, Any]:
    """Returns the settings in force for the audit log."""
    opening = in_force[values.OPENING_HOURS]
    return {
        "hoursMode": in_force[values.MODE],
        "uniformWeeklyTargetMinutes": in_force[values.UNIFORM_MINUTES],
        "openingHours": [
            f"{WEEKDAYS[int(day)]} {german.span(*hours)}" for day, hours in sorted(opening.items()) if hours is not None
        ],
    }
