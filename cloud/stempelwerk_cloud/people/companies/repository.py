"""Queries on companies."""

from datetime import datetime
from functools import lru_cache

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.people.companies.dated import Change
from stempelwerk_cloud.people.companies.tables import Company, CompanyFeature, CompanySetting


def find(session: Session, company_id: str) -> Company | None:
    return session.get(Company, company_id)


def locked(session: Session, company_id: str, *, shared: bool) -> Company | None:
    """The company as it is when nobody is at it any more; nobody changes it before the transaction ends.

    Alone, to change the company or its modules; shared, to decide something for it.
    """
    locks.take(session, locks.number_of("company", company_id), shared=shared)
    return session.get(Company, company_id, populate_existing=True)


def lock_names(session: Session) -> None:
    """Nobody else makes a company before the transaction ends."""
    locks.take(session, locks.number_of("companies", "by name"))


def open_by_name(session: Session, name_key: str) -> Company | None:
    return session.scalar(select(Company).where(Company.name_key == name_key, Company.closed_at.is_(None)))


def operator(session: Session) -> Company | None:
    return session.scalar(select(Company).where(Company.is_operator, Company.closed_at.is_(None)))


def all_open(session: Session) -> list[Company]:
    return list(session.scalars(select(Company).where(Company.closed_at.is_(None)).order_by(Company.name_key)))


def feature_keys(session: Session, company_id: str) -> set[str]:
    return set(session.scalars(select(CompanyFeature.feature).where(CompanyFeature.company_id == company_id)))


def replace_features(session: Session, company_id: str, keys: set[str]) -> None:
    session.execute(delete(CompanyFeature).where(CompanyFeature.company_id == company_id))
    if keys:
        rows = [{"company_id": company_id, "feature": key} for key in sorted(keys)]
        session.execute(insert(CompanyFeature), rows)


def setting_changes(session: Session, company_id: str) -> list[Change]:
    rows = session.execute(
        select(CompanySetting.setting, CompanySetting.valid_from, CompanySetting.value).where(
            CompanySetting.company_id == company_id
        )
    )
    return [Change(*row) for row in rows]


def set_from(session: Session, company_id: str, change: Change, now: datetime, by: str | None) -> None:
    """Writes the setting's value from a day on; what was said for that very day is replaced."""
    values = {"value": change.value, "set_at": now, "set_by": by}
    which = (company_id, change.setting, change.valid_from)
    kept = session.get(CompanySetting, which)
    if kept is None:
        session.add(
            CompanySetting(company_id=company_id, setting=change.setting, valid_from=change.valid_from, **values)
        )
    else:
        session.execute(
            update(CompanySetting)
            .where(
                CompanySetting.company_id == company_id,
                CompanySetting.setting == change.setting,
                CompanySetting.valid_from == change.valid_from,
            )
            .values(**values)
        )


def lock_rules(session: Session, company_id: str, *, shared: bool) -> None:
    """The lock on the company's rules, until the transaction ends."""
    locks.take(session, rules_number(company_id), shared=shared)


@lru_cache(maxsize=10_000)
def rules_number(company_id: str) -> int:
    """The number of the lock on the company's rules."""
    return locks.number_of("rules", company_id)
