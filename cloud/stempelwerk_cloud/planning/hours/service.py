"""Use cases of opening hours and weekly targets, and what other rooms ask of them."""

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
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.facts import hours as values
from stempelwerk_cloud.planning.hours import actions, problems
from stempelwerk_cloud.planning.hours.schemas import WEEK_LIMIT

__all__ = [
    "WEEK_LIMIT",
    "begin_targets",
    "change_hours",
    "change_targets",
    "hours_on",
    "own_target",
    "targets_of",
    "targets_on",
]


class Given(NamedTuple):
    """A person, and the weekly minutes of their own as of a day (None: none)."""

    user: User
    minutes: int | None


def targets_of(session: Session, company_id: str, user_ids: Collection[str] | None = None) -> dict[str, WeeklyTargets]:
    """The weekly targets of each of these people, or of everybody who is not deleted, by the company's mode.

    Who asks for people by id has made sure that they are the company's.
    """
    asked = [user.id for user in directory.people_in(session, company_id)] if user_ids is None else user_ids
    targets = values.Targets(directory.setting_changes(session, company_id))
    given = directory.person_values(session, company_id, [values.WEEKLY_TARGET], user_ids)
    return {user_id: targets.of(given.get(user_id, ())) for user_id in asked}


def hours_on(work: Work, company_id: str, day: date | None) -> InForce:
    """What holds on a day; today, if none is named."""
    return directory.settings_on(work.session, company_id, day or _today(work, company_id))


def change_hours(work: Work, company_id: str, said: Mapping[str, Any], asked: date | None) -> tuple[InForce, date]:
    """Lets these values hold from a local day on (`asked`, else today's); which day that is, and what holds on it.

    `said` is by the names of `values.SETTINGS`, as JSON has it; what is not said stays. Without a day that is named the
    first mode and minutes, and the first opening hours, hold from the beginning.
    """
    session = work.session
    work.rules(company_id)  # they are settings of the company
    locks.take(session, Lock.PLAN, company_id)
    now = work.now()
    today = directory.today_of(session, company_id, now)
    first = asked or today
    before = directory.setting_changes(session, company_id)
    people = directory.person_values(session, company_id, [values.WEEKLY_TARGET]).values()
    history = dated.histories(before, *values.SETTINGS)
    minutes = history[values.UNIFORM_MINUTES].given or any(_target(one).given for one in people)
    for setting, known in history.items():
        if setting.name in said:
            # A mode gives nobody anything as long as there are no minutes.
            given = known.given and (minutes or setting is not values.MODE)
            new = known.say(said[setting.name], asked, today, given=given)
            if new is not None:
                directory.set_setting_from(session, company_id, new, now, work.by)
    session.flush()
    work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=[user.id for user in _people(session, company_id)])
    became = directory.settings_on(session, company_id, first)
    was, told = _told(InForce(before, first)), _told(became)
    if was != told:
        since = {"validFrom": first.isoformat()}
        changed = [name for name in told if was[name] != told[name]]
        states = ({name: one[name] for name in changed} | since for one in (was, told))
        work.audit(company_id, actions.CONFIG, None, *states)
    return became, first


def targets_on(work: Work, company_id: str, day: date | None) -> list[Given]:
    """Everybody but system administrators, by username, with what they have of their own on a day (today)."""
    return _given(work.session, company_id, day or _today(work, company_id))


def change_targets(
    work: Work, company_id: str, items: Iterable[tuple[str, int | None]], asked: date | None
) -> list[Given]:
    """Lets people have weekly minutes of their own (None: none) from a local day on (`asked`, else today's).

    All of them or none. Without a day that is named a person's first ones hold from the beginning. 404 names somebody
    who is not the company's, 422 somebody twice. What everybody has on that day.
    """
    session = work.session
    work.company(company_id)
    chosen: dict[str, int | None] = {}
    for index, (user_id, minutes) in enumerate(items):
        if user_id in chosen:
            raise problems.named_twice(index)
        chosen[user_id] = minutes
    directory.lock_people(session, company_id, chosen)
    locks.take(session, Lock.PLAN, company_id)
    now = work.now()
    today = directory.today_of(session, company_id, now)
    if not chosen.keys() <= {user.id for user in _people(session, company_id)}:
        raise not_found()
    known = directory.person_values(session, company_id, [values.WEEKLY_TARGET], chosen)
    for user_id, minutes in chosen.items():
        before = known.get(user_id, [])
        new = _target(before).say(minutes, asked, today)
        if new is not None:
            start = new.valid_from
            directory.set_person_value(session, company_id, user_id, new, now, work.by)
            since = {} if start == date.min else {"validFrom": start.isoformat()}
            was, became = values.given_to(before, start), minutes
            states = ({"weeklyTargetMinutes": one} | since for one in (was, became))
            work.audit(company_id, actions.TARGET, user_id, *states)
    work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=sorted(chosen))
    return _given(session, company_id, asked or today)


def begin_targets(work: Work, company_id: str, chosen: Mapping[str, int]) -> None:
    """Lets new people have weekly minutes of their own, from the beginning."""
    said = [(user_id, Change(values.WEEKLY_TARGET, date.min, str(minutes))) for user_id, minutes in chosen.items()]
    directory.add_person_values(work.session, company_id, said, work.now(), work.by)
    for user_id, minutes in chosen.items():
        work.audit(company_id, actions.TARGET, user_id, {"weeklyTargetMinutes": None}, {"weeklyTargetMinutes": minutes})


def own_target(work: Work) -> int:
    """The caller's weekly minutes that are in force today, by the company's mode; 0 where there are none."""
    user_id, company_id = work.caller.user_id, work.caller.company_id
    return targets_of(work.session, company_id, [user_id])[user_id].on(_today(work, company_id))


def _today(work: Work, company_id: str) -> date:
    return directory.today_of(work.session, company_id, work.now())


def _people(session: Session, company_id: str) -> list[User]:
    return [user for user in directory.people_in(session, company_id) if user.role != ADMIN]


def _given(session: Session, company_id: str, day: date) -> list[Given]:
    known = directory.person_values(session, company_id, [values.WEEKLY_TARGET])
    return [Given(user, values.given_to(known.get(user.id, ()), day)) for user in _people(session, company_id)]


def _target(said: Sequence[Change]) -> History:
    return History(values.WEEKLY_TARGET, said, None)


def _told(in_force: InForce) -> dict[str, Any]:
    """What holds, for the log."""
    opening = in_force[values.OPENING_HOURS]
    return {
        "hoursMode": in_force[values.MODE],
        "uniformWeeklyTargetMinutes": in_force[values.UNIFORM_MINUTES],
        "openingHours": [
            f"{employment.WEEKDAYS[int(day)]} {german.span(*hours)}"
            for day, hours in sorted(opening.items())
            if hours is not None
        ],
    }
