"""What a change may alter of a company's months (`Platform.altering`): everybody's account, what they cost, and what
payroll was told.

Accounts and costs are reckoned of all months at once. Months of payroll are read one by one: only those from the first
day of which something is said otherwise, and of the people alone of whom it is said.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import month_bounds, shifted
from stempelwerk_cloud.office.account import service as account
from stempelwerk_cloud.office.costs import service as costs
from stempelwerk_cloud.office.exports import content, making, repository
from stempelwerk_cloud.office.exports.months import state_of
from stempelwerk_cloud.office.exports.paying import paid_kinds
from stempelwerk_cloud.people.directory.tables import CompanySetting, PersonValue
from stempelwerk_cloud.planning.facts.tables import FreeDay
from stempelwerk_cloud.timekeeping.entries import service as entries

Looked = dict[date, dict[Any, Any]]
_Said = set[tuple[Any, ...]]
"""Whom it is about (None: everybody), from which day on, and what."""


def altering(session: Session, company_id: str, today: date, now: datetime) -> Callable[[], Looked]:
    """Called before a change. What it gives looks: first when the change is made, and again when it is taken back."""
    before, after = _said(session, company_id), None
    unaltered: set[str] = set()

    def look() -> Looked:
        nonlocal after
        session.expire_all()
        is_made = after is None
        if after is None:
            after = _said(session, company_id)
        found = _reckoned(session, company_id, today)
        if said := before ^ after:
            about = None if any(whose is None for whose, *_ in said) else {whose for whose, *_ in said}
            # A night of the day before reaches into the first one.
            since = min(day for _, day, *_ in said)
            since = since if since == date.min else shifted(since, -1)
            kept = repository.states(session, company_id) if is_made and about is None else {}
            _read(session, company_id, since, about, now, found, kept, unaltered)
        return found

    return look


def _said(session: Session, company_id: str) -> _Said:
    of_people = select(PersonValue.user_id, PersonValue.valid_from, PersonValue.name, PersonValue.value)
    of_company = select(CompanySetting.valid_from, CompanySetting.setting, CompanySetting.value)
    free = select(FreeDay.date, FreeDay.name, FreeDay.half, FreeDay.legal)
    found: _Said = {tuple(row) for row in session.execute(of_people.where(PersonValue.company_id == company_id))}
    for asked, table in ((of_company, CompanySetting), (free, FreeDay)):
        found |= {(None, *row) for row in session.execute(asked.where(table.company_id == company_id))}
    return found


def _reckoned(session: Session, company_id: str, today: date) -> Looked:
    found: Looked = defaultdict(dict)
    for (user_id, first), figures in account.figures(session, company_id, today).items():
        found[first]["account", user_id] = figures
    since = min([*found, today])
    for (user_id, first), cost in costs.figures(session, company_id, since, today).items():
        found[first]["cost", user_id] = cost
    return found


def _read(
    session: Session,
    company_id: str,
    since: date,
    about: Collection[str] | None,
    now: datetime,
    found: Looked,
    kept: Mapping[str, bytes | None],
    unaltered: set[str],
) -> None:
    """Of a month that was exported, what its files would say; once it is locked, what would be a difference.

    `kept`: the digests of months as they were exported; what stands so once the change is made is `unaltered`, and need
    not be looked at again.
    """
    exported, locked = repository.months(session, company_id)
    mapping, current = repository.mapping_of(session, company_id), repository.stored_mapping(session, company_id)
    mappings = repository.mappings(session, company_id)
    rules = making.rules(session, company_id, exported | locked)
    for name in (exported | locked) - unaltered:
        first, last = month_bounds(name)
        if last < since or entries.have_gone(session, company_id, first):
            continue
        kinds = paid_kinds(mappings.get(name) or current)
        supplements = name not in locked or kinds.has_surcharges
        month = content.of_month(
            session, company_id, first, now, supplements=supplements, about=about, rule=rules[name]
        )
        if name not in locked and state_of(month) == kept.get(name):
            unaltered.add(name)
            continue
        files = None if name in locked else making.said_in_files(month, mapping)
        found[first]["payroll"] = month.figures(kinds), files
