"""Use cases of companies: made, closed, given modules, and set. What other rooms call."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit.events import COMPANY_CLOSED, SETTINGS_CHANGED
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people import names
from stempelwerk_cloud.people.access.revocation import end_access
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.service import Word
from stempelwerk_cloud.people.companies import dated, features, problems, repository
from stempelwerk_cloud.people.companies.dated import Change, CompanySettings
from stempelwerk_cloud.people.companies.features import Feature
from stempelwerk_cloud.people.companies.tables import NAME_LIMIT, Company


def rules_of(session: Session, company_id: str) -> DatedRules:
    """All dated settings of the company, as the domain wants them. See `keep_rules`."""
    return dated.rules(repository.setting_changes(session, company_id))


def settings_now(session: Session, company_id: str, today: date) -> CompanySettings:
    """What holds on a local day."""
    return dated.on(repository.setting_changes(session, company_id), today)


def settings_on(session: Session, company_id: str, day: date) -> tuple[CompanySettings, date | None]:
    """What holds on a local day, and the day of the newest change in it."""
    changes = repository.setting_changes(session, company_id)
    return dated.on(changes, day), dated.since(changes, day)


def today_of(session: Session, platform: Platform, company_id: str) -> date:
    """The company's local day."""
    now = platform.clock.now()
    return local_day(now, rules_of(session, company_id).at(now).zone)


def keep_rules(session: Session, company_id: str) -> None:
    """From here to the end of the transaction nobody else changes the company's settings or tags.

    Whoever derives entries and writes them calls this before reading `rules_of` or `holders_of`, and before locking
    people; otherwise a change that commits in between would miss those entries. Many may keep at once.
    """
    repository.lock_rules(session, company_id, shared=True)


def rules_lock(company_id: str) -> int:
    """The number of the advisory lock that `keep_rules` shares, for who takes several locks in one statement."""
    return repository.rules_number(company_id)


def lock_rules(session: Session, company_id: str) -> None:
    """Waits until nobody keeps the company's rules, and then owns them; before locking people."""
    repository.lock_rules(session, company_id, shared=False)


def company_name(session: Session, company_id: str) -> str:
    """The company's name, also of a closed one. 404 if there is none."""
    company = repository.find(session, company_id)
    if company is None:
        raise not_found()
    return company.name


def list_open(session: Session) -> list[Company]:
    return repository.all_open(session)


def open_company(session: Session, company_id: str) -> Company:
    """The company, or 404, also if it is closed."""
    return _unless_closed(repository.find(session, company_id))


def keep_open(session: Session, company_id: str) -> Company:
    """The company, which nobody closes before this transaction ends. 404 if there is none, or it is closed.

    Whoever decides something for a company calls this before any other lock. Many may keep it open at once.
    """
    return _unless_closed(repository.locked(session, company_id, shared=True))


def _unless_closed(company: Company | None) -> Company:
    if company is None or company.closed_at is not None:
        raise not_found()
    return company


def create(
    session: Session, platform: Platform, name: str, *, is_operator: bool = False, by: str | None = None
) -> Company:
    """A new company with every module. 422 without a name, 409 if the name is taken.

    Companies are made one after the other, so that nobody else takes the name that was found free.
    """
    shown = names.shown(name)
    if not shown:
        raise problems.name_missing()
    if not names.fits(name, NAME_LIMIT):
        raise problems.name_too_long(NAME_LIMIT)
    repository.lock_names(session)
    if repository.open_by_name(session, names.key(name)) is not None:
        raise problems.name_taken()
    company = Company(
        id=platform.ids.new(),
        name=shown,
        name_key=names.key(name),
        is_operator=is_operator,
        created_at=platform.clock.now(),
    )
    session.add(company)
    session.flush()
    repository.replace_features(session, company.id, set(features.KEYS))
    audit.append(session, platform, company.id, by, "company.created", company.id, after={"name": Word(shown)})
    if not is_operator:
        operator = operator_company(session, platform)
        audit.append(session, platform, operator.id, by, "company.created", company.id, after={"name": Word(shown)})
    return company


def operator_company(session: Session, platform: Platform) -> Company:
    """The operator's own company; made if there is none yet."""
    found = repository.operator(session)
    if found is None:
        repository.lock_names(session)
        found = repository.operator(session)  # somebody else may have made it in the meantime
    return found or create(session, platform, platform.settings.operator, is_operator=True)


def is_operator(session: Session, company_id: str) -> bool:
    company = repository.find(session, company_id)
    return company is not None and company.is_operator


def close(session: Session, platform: Platform, company_id: str, by: str | None = None) -> None:
    """Deletes the company as far as people see: nobody is or gets in, nothing lists it. Its facts stay."""
    company = _unless_closed(repository.locked(session, company_id, shared=False))
    if company.is_operator:
        raise problems.operator_stays()
    company.closed_at = platform.clock.now()
    session.flush()
    for log in (company_id, operator_company(session, platform).id):  # nobody reads a closed company's own
        audit.append(session, platform, log, by, "company.deleted", company_id, before={"name": Word(company.name)})
    platform.signals.emit(session, COMPANY_CLOSED, company_id=company_id)
    end_access(session, platform, company_id)


def features_of(session: Session, company_id: str) -> list[Feature]:
    """The modules that the company may use, in the order of the documents."""
    keys = repository.feature_keys(session, company_id)
    return [feature for feature in features.FEATURES if feature.key in keys]


def set_features(
    session: Session, platform: Platform, company_id: str, names_or_ids: Iterable[str], by: str | None = None
) -> list[Feature]:
    """Exactly these modules from now on. 422 names an unknown one."""
    _unless_closed(repository.locked(session, company_id, shared=False))
    keys = set()
    for name in names_or_ids:
        key = features.KEY_OF.get(name)
        if key is None:
            raise problems.unknown_feature()
        keys.add(key)
    before = repository.feature_keys(session, company_id)
    if keys != before:
        repository.replace_features(session, company_id, keys)
        was, became = {"features": sorted(before)}, {"features": sorted(keys)}
        audit.append(session, platform, company_id, by, "company.features", company_id, was, became)
    return features_of(session, company_id)


def change_settings(
    session: Session,
    platform: Platform,
    company_id: str,
    values: Mapping[str, Any],
    first: date | None,
    by: str | None,
) -> date:
    """Lets these settings hold from a local day on (`first`, else today's); which day that is.

    Entries that they shape are derived again in the same step.
    """
    keep_open(session, company_id)
    lock_rules(session, company_id)
    valid_from = first or today_of(session, platform, company_id)  # in the zone that nobody changes any more
    before = repository.setting_changes(session, company_id)
    now = platform.clock.now()
    for name, value in values.items():
        repository.set_from(session, company_id, Change(name, valid_from, dated.encode(value)), now, by)
    session.flush()
    after = repository.setting_changes(session, company_id)
    if set(before) != set(after):
        was, became = (
            {"validFrom": valid_from.isoformat()} | dated.named(changes, values, valid_from)
            for changes in (before, after)
        )
        audit.append(session, platform, company_id, by, "company.settings", company_id, was, became)
    shaping = {change for change in before if change.setting in dated.SHAPING} != {
        change for change in after if change.setting in dated.SHAPING
    }
    if shaping:
        platform.signals.emit(session, SETTINGS_CHANGED, company_id=company_id, from_day=valid_from)
    return valid_from
