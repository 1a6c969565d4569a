"""Keeps what accounts carry out of ended months, wherever it is missing: at a month's turn, or since it fell (`kept`).

Nobody writes facts meanwhile, because it has the company's rules and its plan alone.
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
from stempelwerk_cloud.office.account import gathering
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import working
from stempelwerk_cloud.planning.facts.tables import KeptBalance
from stempelwerk_cloud.planning.vacation import service as vacation

AT_ONCE = 50
"""People of one transaction, for which the company's clocks and planners wait."""

log = structlog.get_logger(__name__)


def keep(platform: Platform) -> None:
    """A round through all companies. One that fails is logged, and tried again the next time."""
    with platform.database.read(SYSTEM) as session:
        company_ids = [company.id for company in directory.open_companies(session)]
    for company_id in company_ids:
        try:
            while keep_some(platform, company_id):
                pass
        except Exception as error:
            log.error("job_failed", job="keep_balances", company_id=company_id, exc_info=error)


def keep_some(platform: Platform, company_id: str) -> bool:
    """Keeps what is missing of some people of a company; false if nothing was."""
    with platform.database.read(of_company(company_id)) as session:
        missing = _missing(session, company_id, _month(session, platform, company_id))
    if not missing:
        return False
    with working(platform, of_company(company_id)) as work:
        work.company(company_id)
        directory.lock_rules(work.session, company_id)
        locks.take(work.session, Lock.PLAN, company_id)
        first = _month(work.session, platform, company_id)
        rows = _made(work.session, company_id, _missing(work.session, company_id, first), first)
        if rows:
            work.session.execute(insert(KeptBalance), rows)
    return True


def _month(session: Session, platform: Platform, company_id: str) -> date:
    return directory.today_of(session, company_id, platform.clock.now()).replace(day=1)


def _missing(session: Session, company_id: str, first: date) -> list[str]:
    """Some of the people for whom nothing is kept for the month of this first day."""
    kept = select(KeptBalance.user_id).where(KeptBalance.company_id == company_id, KeptBalance.first == first)
    people = select(User.id).where(User.company_id == company_id, User.deleted_at.is_(None), User.id.not_in(kept))
    return list(session.scalars(people.order_by(User.id).limit(AT_ONCE)))


def _made(session: Session, company_id: str, user_ids: Collection[str], first: date) -> list[dict[str, Any]]:
    """Returns the missing rows of these accounts: of this month, the month before and each January."""
    rows: list[dict[str, Any]] = []
    before = (first - DAY).replace(day=1)
    for user_id, facts in gathering.of_people(session, company_id, user_ids, first - DAY, everybody=True).items():
        begins = facts.begins
        has_begun = begins is not None and begins < first
        carried = {first: None} if not has_begun else account.carried_into(facts, first)
        known = facts.kept.first if facts.kept else date.min
        rows += [
            {"company_id": company_id, "user_id": user_id, "first": month, "minutes": minutes, "is_final": False}
            for month, minutes in carried.items()
            if month > known and (month.month == 1 or month >= before)
        ]
    return _with_leave(session, company_id, rows, first)


def _with_leave(session: Session, company_id: str, rows: list[dict[str, Any]], today: date) -> list[dict[str, Any]]:
    """The rows, those of a January with what leave carries."""
    years: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row["first"].month == 1 and row["minutes"] is not None:
            years[row["user_id"]].append(row["first"].year - 1)
    carried = vacation.starts_of(session, company_id, years, today) if years else {}
    return [row | vacation.start_columns(carried.get((row["user_id"], row["first"].year - 1))) for row in rows]
