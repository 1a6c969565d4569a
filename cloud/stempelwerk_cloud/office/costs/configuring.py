"""Rates, wages and departments as they are set, from a day on or for all time."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.costs import DEFAULT, Compensation, Key, Name, Rates, Said
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.office.costs import actions
from stempelwerk_cloud.office.costs.tables import CompensationValue
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.work import Work

PERSONAL: tuple[Name, ...] = ("hourly", "monthly")
_WORDS: Mapping[Name, str] = {
    "mode": "compensationMode",
    "default": "defaultHourly",
    "department": "departmentRates",
    "hourly": "hourlyRate",
    "monthly": "monthlyWage",
}
"""In the audit log."""


class Config(NamedTuple):
    """What holds on a day: `departments` are everybody's, by person who is not deleted."""

    day: date
    rates: Rates
    departments: Mapping[str, str | None]


def compensation_of(session: Session, company_id: str) -> Compensation:
    found = select(CompensationValue).where(CompensationValue.company_id == company_id)
    return Compensation(
        Said(row.name, row.subject, row.valid_from, json.loads(row.value)) for row in session.scalars(found)
    )


def config_on(work: Work, company_id: str, day: date | None) -> Config:
    """What holds on a day; today, if none is named. Wages of who is deleted are left out."""
    session = work.session
    day = day or directory.today_of(session, company_id, work.now())
    staff = [user.id for user in directory.staff_in(session, company_id)]
    people = employment.people_of(session, company_id, staff)
    held = compensation_of(session, company_id).on(day).items()
    rates = Rates((key, value) for key, value in held if key[0] not in PERSONAL or key[1] in people)
    return Config(day, rates, {user_id: one.department_on(day) for user_id, one in people.items()})


def change(
    work: Work,
    company_id: str,
    said: Mapping[Name, Mapping[str, Any]],
    departments: Mapping[str, str | None],
    asked: date | None,
) -> Config:
    """Lets these values hold from a day on, or for all time; what holds then (or today).

    `said` is by name and subject: what is not named under a name that is said has none any more. What holds on that day
    as it is said is not written again, so that it keeps its past. Who is not among `departments` keeps theirs. 404 for
    people who are not the company's.
    """
    session = work.session
    work.company(company_id)
    directory.lock_people(session, company_id, departments)
    locks.take(session, Lock.PLAN, company_id)
    now, was = work.now(), config_on(work, company_id, asked)
    named = set(departments).union(*(said.get(name, {}) for name in PERSONAL))
    if not named <= was.departments.keys():
        raise not_found()
    before = {key: value for key, value in was.rates.items() if key[0] in said}
    after: dict[Key, Any] = {
        (name, subject): value for name, values in said.items() for subject, value in values.items()
    }
    changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    for name in said:
        gone = delete(CompensationValue).where(
            CompensationValue.company_id == company_id,
            CompensationValue.name == name,
            CompensationValue.subject.in_([subject for one, subject in changed if one == name]),
        )
        session.execute(gone if asked is None else gone.where(CompensationValue.valid_from == asked))
    since = asked or date.min
    session.add_all(
        CompensationValue(
            company_id=company_id,
            name=name,
            subject=subject,
            valid_from=since,
            value=json.dumps(after.get((name, subject))),
            set_at=now,
            set_by=work.by,
        )
        for name, subject in changed
        if asked is not None or (name, subject) in after
    )
    moved = {user_id: name for user_id, name in departments.items() if was.departments[user_id] != name}
    employment.assign_departments(work, company_id, moved, asked)
    session.flush()
    became = config_on(work, company_id, asked)
    _tell(work, company_id, changed, (was.rates, became.rates), asked)
    return became


def _tell(work: Work, company_id: str, changed: list[Key], states: tuple[Rates, Rates], asked: date | None) -> None:
    """Writes down what is different, of each person by itself."""
    since: dict[str, Any] = {} if asked is None else {"validFrom": asked.isoformat()}
    own = [key for key in changed if key[0] not in PERSONAL]
    if own:
        names = dict.fromkeys(_WORDS[name] for name, _ in own)
        was, became = ({name: one[name] for name in names} | since for one in map(_told, states))
        work.audit(company_id, actions.CHANGED, None, was, became)
    for user_id in dict.fromkeys(subject for name, subject in changed if name in PERSONAL):
        about = [name for name in PERSONAL if (name, user_id) in changed]
        was, became = (
            {_WORDS[name]: _secret(rates.get((name, user_id))) for name in about} | since for rates in states
        )
        work.audit(company_id, actions.PERSON, user_id, was, became)


def _told(rates: Rates) -> dict[str, Any]:
    default = rates.get(DEFAULT)
    in_order = sorted(rates.of("department").items(), key=lambda one: german.alphabetical(one[0]))
    return {
        "compensationMode": rates.mode,
        "defaultHourly": None if default is None else german.euros(default),
        "departmentRates": [f"{name}: {german.euros(cents)}" for name, cents in in_order],
    }


def _secret(cents: int | None) -> ErasableText | None:
    return None if cents is None else ErasableText(german.euros(cents))
