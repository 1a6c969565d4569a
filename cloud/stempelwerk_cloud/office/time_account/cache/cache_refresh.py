"""Stores missing balances that accounts carry out of ended months: after the turn of a month, or after one was deleted
(`balance_cache`).

It locks the company's rules and plan, so no facts are written meanwhile.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import date
from typing import Any

import structlog
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import account
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.time_account import gathering
from stempelwerk_cloud.people.directory.companies import lock_rules, open_companies, today_of
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_cloud.planning.facts.tables import BalanceCache
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.accounts.carrying import start_columns

AT_ONCE = 50
"""The number of people in one transaction. The company's clocks and planners wait for its end."""

log = structlog.get_logger(__name__)


def refresh(platform: Platform) -> None:
    """Stores missing balances of all companies. A company that fails is logged, and tried again at the next run."""
    with platform.database.read(SYSTEM) as session:
        company_ids = [company.id for company in open_companies(session)]
    for company_id in company_ids:
        try:
            while keep_some(platform, company_id):
                pass
        except Exception as error:
            log.error("job_failed", job="keep_balances", company_id=company_id, exc_info=error)


def keep_some(platform: Platform, company_id: str) -> bool:
    """Stores the missing balances of up to `AT_ONCE` people of a company; returns False if nothing was missing."""
    with platform.database.read(of_company(company_id)) as session:
        missing = _missing(session, company_id, _month(session, platform, company_id))
    if not missing:
        return False
    with unit_of_work(platform, of_company(company_id)) as work:
        work.company(company_id)
        lock_rules(work.session, company_id)
        locks.take(work.session, Lock.PLAN, company_id)
        first = _month(work.session, platform, company_id)
        rows = _build_rows(work.session, company_id, _missing(work.session, company_id, first), first)
        if rows:
            work.session.execute(insert(BalanceCache), rows)
    return True


def _month(session: Session, platform: Platform, company_id: str) -> date:
    return today_of(session, company_id, platform.clock.now()).replace(day=1)


def _missing(session: Session, company_id: str, first: date) -> list[str]:
    """Returns up to `AT_ONCE` people without a stored balance for the month of `first`."""
    with_balance = select(BalanceCache.user_id).where(
        BalanceCache.company_id == company_id, BalanceCache.first == first
    )
    people = select(User.id).where(
        User.company_id == company_id, User.deleted_at.is_(None), User.id.not_in(with_balance)
    )
    return list(session.scalars(people.order_by(User.id).limit(AT_ONCE)))


def _build_rows(session: Session, company_id: str, user_ids: Collection[str], first: date) -> list[dict[str, Any]]:
    """Returns the missing balances of these people as rows: of this month, the month before and each January."""
    rows: list[dict[str, Any]] = []
    previous_month = (first - DAY).replace(day=1)
    for user_id, facts in gathering.of_people(session, company_id, user_ids, first - DAY, everybody=True).items():
        account_begins = facts.begins
        has_begun = account_begins is not None and account_begins < first
        carried = {first: None} if not has_begun else account.carried_into(facts, first)
        newest_kept = facts.kept.first if facts.kept else date.min
        rows += [
            {"company_id": company_id, "user_id": user_id, "first": month, "minutes": minutes, "is_final": False}
            for month, minutes in carried.items()
            if month > newest_kept and (month.month == 1 or month >= previous_month)
        ]
    return _with_leave(session, company_id, rows, first)


def _with_leave(session: Session, company_id: str, rows: list[dict[str, Any]], today: date) -> list[dict[str, Any]]:
    """Returns the rows, with the carried leave in those of a January."""
    years: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row["first"].month == 1 and row["minutes"] is not None:
            years[row["user_id"]].append(row["first"].year - 1)
    carried = vacation.starts_of(session, company_id, years, today) if years else {}
    return [row | start_columns(carried.get((row["user_id"], row["first"].year - 1))) for row in rows]
