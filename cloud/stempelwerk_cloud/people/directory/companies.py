"""Queries on companies, their modules and settings, and the locks of companies."""

import json
from collections.abc import Callable, Collection, Iterable
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import day_start, local_day
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.memory import remembered
from stempelwerk_cloud.kit.database.rows import padded
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change, InForce, Setting
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.directory import words
from stempelwerk_cloud.people.directory.tables import Company, CompanyFeature, CompanySetting
from stempelwerk_cloud.people.directory.words import Feature

ZONES = frozenset((files("tzdata") / "zones").read_text().split()) - {"Factory"}
"""The accepted time zones: the IANA names, which browsers know too. A machine may have other names, such as
`localtime`.
"""

TIME_ZONE = Setting("time_zone", str, "Europe/Berlin", among=ZONES, shapes_entries=True, label="Zeitzone")


def zone_at(changes: Iterable[Change], instant: datetime) -> ZoneInfo:
    """Returns the zone in force at an instant. A change holds from the midnight of its day in the new zone."""
    moves = [change for change in changes if change.setting == TIME_ZONE.name]
    for move in sorted(moves, key=lambda change: change.valid_from, reverse=True):
        zone = ZoneInfo(json.loads(move.value))
        if day_start(move.valid_from, zone) <= instant:
            return zone
    return ZoneInfo(TIME_ZONE.default)


def zones(changes: Iterable[Change]) -> Callable[[date], ZoneInfo]:
    """Returns a function that gives the zone of a local day."""
    moves = [change for change in changes if change.setting == TIME_ZONE.name]
    return cache(lambda day: ZoneInfo(InForce(moves, day)[TIME_ZONE]))


def find_company(session: Session, company_id: str) -> Company | None:
    return remembered(session, Company, company_id, lambda: session.get(Company, company_id))


def lock_company(session: Session, company_id: str, *, shared: bool) -> Company | None:
    """Locks the company and returns its current row; None if unknown. No other transaction changes it before this one
    ends.

    Take it exclusively to change the company or its modules, shared to decide something for it.
    """
    locks.take(session, Lock.COMPANY, company_id, shared=shared)
    return remembered(session, Company, company_id, lambda: session.get(Company, company_id, populate_existing=True))


def lock_company_names(session: Session) -> None:
    """Locks all company names: no other transaction creates a company before this one ends."""
    locks.take(session, Lock.COMPANY_NAMES)


def open_company_by_name(session: Session, name_key: str) -> Company | None:
    return session.scalar(select(Company).where(Company.name_key == name_key, Company.closed_at.is_(None)))


def operator(session: Session) -> Company | None:
    return session.scalar(select(Company).where(Company.is_operator, Company.closed_at.is_(None)))


_OPERATOR_ID: Slot[Platform, str | None] = Slot(lambda _: None)


def operator_id(platform: Platform) -> str | None:
    """Returns the id of the operator's company, even to callers who see only their own. Cached: it never changes."""
    company_id = _OPERATOR_ID.of(platform)
    if company_id is None:
        with platform.database.read(SYSTEM) as session:
            company = operator(session)
        if company is not None:
            company_id = company.id
            _OPERATOR_ID.set(platform, company_id)
    return company_id


def open_companies(session: Session) -> list[Company]:
    companies = session.scalars(select(Company).where(Company.closed_at.is_(None)))
    return sorted(companies, key=lambda company: german.alphabetical(company.name))


def feature_keys(session: Session, company_id: str) -> set[str]:
    return set(session.scalars(select(CompanyFeature.feature).where(CompanyFeature.company_id == company_id)))


def feature_keys_in(session: Session, company_ids: Collection[str]) -> dict[str, set[str]]:
    """Returns the modules of each of these companies."""
    keys_by_company: dict[str, set[str]] = {company_id: set() for company_id in company_ids}
    query = select(CompanyFeature.company_id, CompanyFeature.feature).where(
        CompanyFeature.company_id.in_(padded(keys_by_company))
    )
    for company_id, feature in session.execute(query):
        keys_by_company[company_id].add(feature)
    return keys_by_company


def replace_features(session: Session, company_id: str, keys: set[str]) -> None:
    session.execute(delete(CompanyFeature).where(CompanyFeature.company_id == company_id))
    if keys:
        rows = [{"company_id": company_id, "feature": key} for key in sorted(keys)]
        session.execute(insert(CompanyFeature), rows)


def setting_changes(session: Session, company_id: str) -> list[Change]:
    """Returns all changes of the company's settings, oldest first."""
    query = select(CompanySetting.setting, CompanySetting.valid_from, CompanySetting.value)
    company_query = query.where(CompanySetting.company_id == company_id).order_by(CompanySetting.valid_from)
    return list(
        remembered(
            session, CompanySetting, company_id, lambda: [Change(*row) for row in session.execute(company_query)]
        )
    )


def set_setting_from(session: Session, company_id: str, change: Change, now: datetime, actor_id: str | None) -> None:
    """Stores the setting's value from a day on, replacing a value that holds from that same day."""
    row = session.get(CompanySetting, (company_id, change.setting, change.valid_from))
    if row is None:
        row = CompanySetting(company_id=company_id, setting=change.setting, valid_from=change.valid_from)
        session.add(row)
    row.value, row.set_at, row.set_by = change.value, now, actor_id


def settings_on(session: Session, company_id: str, day: date) -> InForce:
    """Returns the settings in force on a local day."""
    return InForce(setting_changes(session, company_id), day)


def zone_of(session: Session, company_id: str, now: datetime) -> ZoneInfo:
    """Returns the company's time zone at an instant."""
    return zone_at(setting_changes(session, company_id), now)


def today_of(session: Session, company_id: str, now: datetime) -> date:
    """Returns the company's local day at an instant."""
    return today_in(setting_changes(session, company_id), now)


def today_in(changes: Collection[Change], now: datetime) -> date:
    """Returns the company's local day at an instant, by all changes of its settings."""
    return local_day(now, zone_at(changes, now))


def lock_rules_shared(session: Session, company_id: str) -> None:
    """Locks the company's rules (settings and tags) in shared mode until the transaction ends.

    Deriving entries of new stamps requires this before reading the settings or `holders_of`, and before locking those
    entries; otherwise it would miss a change that commits in between. Many transactions may hold it at once.
    """
    locks.take(session, Lock.RULES, company_id, shared=True)


def lock_rules(session: Session, company_id: str) -> None:
    """Locks the company's rules exclusively, and so all its entries. Call it before locking people. Waits for shared
    locks.
    """
    locks.take(session, Lock.RULES, company_id)


def company_name(session: Session, company_id: str) -> str:
    """Returns the company's name, also of a closed one. 404 if unknown."""
    company = find_company(session, company_id)
    if company is None:
        raise not_found()
    return company.name


def open_company(session: Session, company_id: str) -> Company:
    """Returns the company; 404 if it is unknown or closed."""
    return _unless_closed(find_company(session, company_id))


def lock_open_shared(session: Session, company_id: str) -> Company:
    """Locks the company against being closed before this transaction ends. 404 if it is unknown or closed.

    Every decision for a company takes this lock before any other. Many transactions may hold it at once.
    """
    return _unless_closed(lock_company(session, company_id, shared=True))


def lock_open(session: Session, company_id: str) -> Company:
    """Locks the company exclusively, to close it or to choose its modules. 404 as `lock_open_shared`."""
    return _unless_closed(lock_company(session, company_id, shared=False))


def _unless_closed(company: Company | None) -> Company:
    if company is None or company.closed_at is not None:
        raise not_found()
    return company


def is_operator(session: Session, company_id: str) -> bool:
    company = find_company(session, company_id)
    return company is not None and company.is_operator


def features_of(session: Session, company_id: str) -> list[Feature]:
    """Returns the modules that the company may use, in the order of `features.FEATURES`."""
    keys = feature_keys(session, company_id)
    return [feature for feature in words.FEATURES if feature.key in keys]
