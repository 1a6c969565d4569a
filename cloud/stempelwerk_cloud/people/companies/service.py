"""Use cases of companies, and their interface for other rooms.

A company is created and closed, its modules are set, and its settings are changed.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from pydantic.alias_generators import to_camel

from stempelwerk_cloud.kit.dated import Change, InForce, Setting
from stempelwerk_cloud.kit.events import COMPANY_CLOSED, FIGURES_CHANGED, SETTINGS_CHANGED
from stempelwerk_cloud.kit.http.problems import invalid
from stempelwerk_cloud.people.access.identity.revocation import end_access
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.companies import words
from stempelwerk_cloud.people.directory import companies
from stempelwerk_cloud.people.directory.companies import (
    feature_keys,
    features_of,
    lock_company_names,
    lock_open,
    open_company_by_name,
    replace_features,
    set_setting_from,
    setting_changes,
    today_of,
)
from stempelwerk_cloud.people.directory.people import people_in
from stempelwerk_cloud.people.directory.tables import NAME_LIMIT, Company
from stempelwerk_cloud.people.directory.tables import display_form as shown_name
from stempelwerk_cloud.people.directory.tables import fits as name_fits
from stempelwerk_cloud.people.directory.tables import key as name_key
from stempelwerk_cloud.people.directory.words import KEY_OF, KEYS, Feature
from stempelwerk_cloud.people.work import UnitOfWork

CREATED = Action("company.created")
DELETED = Action("company.deleted")
FEATURES = Action("company.features")
SETTINGS = Action("company.settings")


def create(work: UnitOfWork, name: str, *, is_operator: bool = False) -> Company:
    """Creates a company with every module. Raises 422 without a name or for one that is too long, 409 if the name is
    taken.

    Companies are created one after the other, so that a name found free stays free.
    """
    display_name = shown_name(name)
    if not display_name:
        raise words.name_missing()
    if not name_fits(name, NAME_LIMIT):
        raise words.name_too_long(NAME_LIMIT)
    lock_company_names(work.session)
    if open_company_by_name(work.session, name_key(name)) is not None:
        raise words.name_taken()
    company = Company(
        id=work.new_id(),
        name=display_name,
        name_key=name_key(name),
        is_operator=is_operator,
        created_at=work.now(),
    )
    work.session.add(company)
    work.session.flush()
    replace_features(work.session, company.id, set(KEYS))
    created_values = {"name": ErasableText(display_name)}
    work.audit(company.id, CREATED, company.id, new_values=created_values)
    if not is_operator:
        work.audit(operator_company(work).id, CREATED, company.id, new_values=created_values)
    return company


def operator_company(work: UnitOfWork) -> Company:
    """Returns the operator's own company, creating it if missing."""
    company = companies.operator(work.session)
    if company is None:
        lock_company_names(work.session)
        company = companies.operator(work.session)  # another transaction may have created it in the meantime
    return company or create(work, work.platform.settings.operator, is_operator=True)


def close(work: UnitOfWork, company_id: str) -> None:
    """Closes the company: its people are logged out and cannot log in, and no list shows it. Its data stays."""
    operator = operator_company(work)
    company = lock_open(work.session, company_id)
    if company.is_operator:
        raise words.operator_stays()
    company.closed_at = work.now()
    work.session.flush()
    for log in (company_id, operator.id):  # a closed company's own log has no readers
        work.audit(log, DELETED, company_id, old_values={"name": ErasableText(company.name)})
    work.emit(COMPANY_CLOSED, company_id=company_id)
    end_access(work, company_id)


def set_features(work: UnitOfWork, company_id: str, names_or_ids: Iterable[str]) -> list[Feature]:
    """Sets the company's modules, given by id or key; all others are removed. Raises 422 for an unknown one."""
    lock_open(work.session, company_id)
    keys = set()
    for name in names_or_ids:
        key = KEY_OF.get(name)
        if key is None:
            raise words.unknown_feature()
        keys.add(key)
    old_keys = feature_keys(work.session, company_id)
    if keys != old_keys:
        replace_features(work.session, company_id, keys)
        old_values, new_values = {"features": sorted(old_keys)}, {"features": sorted(keys)}
        work.audit(company_id, FEATURES, company_id, old_values, new_values)
    return features_of(work.session, company_id)


def change_settings(work: UnitOfWork, company_id: str, values: Mapping[Setting[Any], Any], first: date | None) -> date:
    """Sets these values from a local day on (`first`, else today); returns that day.

    Time entries that depend on them are derived again in the same transaction. Raises 422 for a change that the setting
    refuses.
    """
    work.rules(company_id)
    now = work.now()
    valid_from = first or today_of(work.session, company_id, now)  # in the time zone, which the lock fixes
    old_changes = setting_changes(work.session, company_id)
    for setting, value in values.items():
        stored = json.dumps(value, default=date.isoformat)
        starts_on = date.min if setting.from_beginning else valid_from
        refusal = setting.refuse(InForce(old_changes, starts_on)[setting], json.loads(stored))
        if refusal is not None:
            raise invalid(to_camel(setting.name), refusal)
        change = Change(setting.name, starts_on, stored)
        set_setting_from(work.session, company_id, change, now, work.actor_id)
    work.session.flush()
    new_changes = setting_changes(work.session, company_id)
    changed = {change.setting for change in set(old_changes) ^ set(new_changes)}
    if changed:
        old_values, new_values = (
            _audit_values(InForce(changes, valid_from), values, valid_from) for changes in (old_changes, new_changes)
        )
        work.audit(company_id, SETTINGS, company_id, old_values, new_values)
        user_ids = [user.id for user in people_in(work.session, company_id)]
        work.emit(FIGURES_CHANGED, company_id=company_id, user_ids=user_ids)  # a Bundesland has holidays
    if any(setting.shapes_entries and setting.name in changed for setting in values):
        work.emit(SETTINGS_CHANGED, company_id=company_id, from_day=valid_from)
    return valid_from


def _audit_values(in_force: InForce, settings: Iterable[Setting[Any]], day: date) -> dict[str, Any]:
    """Returns the values of these settings for the audit log, by their API names, with the day."""
    return {"validFrom": day.isoformat()} | {to_camel(setting.name): in_force[setting] for setting in settings}
