"""The configuration of rates, wages and departments, from a day on or for all time."""

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
from stempelwerk_cloud.office.costs.tables import CompensationValue
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import lock_people, staff_in
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.work import UnitOfWork

CHANGED = Action("compensation.changed")
PERSON = Action("compensation.person")


PERSONAL: tuple[Name, ...] = ("hourly", "monthly")
_WORDS: Mapping[Name, str] = {
    "mode": "compensationMode",
    "default": "defaultHourly",
    "department": "departmentRates",
    "hourly": "hourlyRate",
    "monthly": "monthlyWage",
}
"""The names of the values in the audit log."""


class Config(NamedTuple):
    """The configuration in force on a day. `departments`: by user id, without deleted people."""

    day: date
    rates: Rates
    departments: Mapping[str, str | None]


def compensation_of(session: Session, company_id: str) -> Compensation:
    query = select(CompensationValue).where(CompensationValue.company_id == company_id)
    return Compensation(
        Said(row.name, row.subject, row.valid_from, json.loads(row.value)) for row in session.scalars(query)
    )


def config_on(work: UnitOfWork, company_id: str, day: date | None) -> Config:
    """Returns the configuration of a day, by default today, without wages of deleted people."""
    session = work.session
    day = day or today_of(session, company_id, work.now())
    staff = [user.id for user in staff_in(session, company_id)]
    people = employment.people_of(session, company_id, staff)
    current_values = compensation_of(session, company_id).on(day).items()
    rates = Rates((key, value) for key, value in current_values if key[0] not in PERSONAL or key[1] in people)
    return Config(day, rates, {user_id: person.department_on(day) for user_id, person in people.items()})


def change(
    work: UnitOfWork,
    company_id: str,
    values_by_name: Mapping[Name, Mapping[str, Any]],
    departments: Mapping[str, str | None],
    valid_from: date | None,
) -> Config:
    """Sets values from a day on, or for all time; returns the configuration of that day (or of today).

    `values_by_name` is by name and subject: for each name in it, a subject that is missing loses its value. A value
    that already applies on that day is not written again, and its history stays. People who are not in `departments`
    stay in theirs. 404 for people of another company.
    """
    session = work.session
    work.company(company_id)
    lock_people(session, company_id, departments)
    locks.take(session, Lock.PLAN, company_id)
    now, was = work.now(), config_on(work, company_id, valid_from)
    named_people = set(departments).union(*(values_by_name.get(name, {}) for name in PERSONAL))
    if not named_people <= was.departments.keys():
        raise not_found()
    old_values = {key: value for key, value in was.rates.items() if key[0] in values_by_name}
    new_values: dict[Key, Any] = {
        (name, subject): value for name, values in values_by_name.items() for subject, value in values.items()
    }
    changed = sorted(key for key in old_values.keys() | new_values.keys() if old_values.get(key) != new_values.get(key))
    for name in values_by_name:
        deletion = delete(CompensationValue).where(
            CompensationValue.company_id == company_id,
            CompensationValue.name == name,
            CompensationValue.subject.in_([subject for changed_name, subject in changed if changed_name == name]),
        )
        session.execute(deletion if valid_from is None else deletion.where(CompensationValue.valid_from == valid_from))
    stored_from = valid_from or date.min
    session.add_all(
        CompensationValue(
            company_id=company_id,
            name=name,
            subject=subject,
            valid_from=stored_from,
            value=json.dumps(new_values.get((name, subject))),
            set_at=now,
            set_by=work.actor_id,
        )
        for name, subject in changed
        if valid_from is not None or (name, subject) in new_values
    )
    moved = {user_id: name for user_id, name in departments.items() if was.departments[user_id] != name}
    employment.assign_departments(work, company_id, moved, valid_from)
    session.flush()
    new_config = config_on(work, company_id, valid_from)
    _log_changes(work, company_id, changed, (was.rates, new_config.rates), valid_from)
    return new_config


def _log_changes(
    work: UnitOfWork, company_id: str, changed: list[Key], states: tuple[Rates, Rates], valid_from: date | None
) -> None:
    """Writes the differences to the audit log: one entry for the company and one for each person."""
    validity: dict[str, Any] = {} if valid_from is None else {"validFrom": valid_from.isoformat()}
    company_keys = [key for key in changed if key[0] not in PERSONAL]
    if company_keys:
        names = dict.fromkeys(_WORDS[name] for name, _ in company_keys)
        was, new_values = ({name: logged[name] for name in names} | validity for logged in map(_describe_rates, states))
        work.audit(company_id, CHANGED, None, was, new_values)
    for user_id in dict.fromkeys(subject for name, subject in changed if name in PERSONAL):
        changed_names = [name for name in PERSONAL if (name, user_id) in changed]
        was, new_values = (
            {_WORDS[name]: _secret(rates.get((name, user_id))) for name in changed_names} | validity for rates in states
        )
        work.audit(company_id, PERSON, user_id, was, new_values)


def _describe_rates(rates: Rates) -> dict[str, Any]:
    default = rates.get(DEFAULT)
    in_order = sorted(rates.cents_by_subject("department").items(), key=lambda rate: german.alphabetical(rate[0]))
    return {
        "compensationMode": rates.mode,
        "defaultHourly": None if default is None else german.euros(default),
        "departmentRates": [f"{name}: {german.euros(cents)}" for name, cents in in_order],
    }


def _secret(cents: int | None) -> ErasableText | None:
    return None if cents is None else ErasableText(german.euros(cents))
