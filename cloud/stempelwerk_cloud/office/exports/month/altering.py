"""The effect of a change on a company's months (the port `ALTERING`): on people's accounts, costs, and figures for
payroll.

Accounts and costs are computed for all months at once. Payroll months are read one by one: only from the first changed
day on, and only for the people concerned.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import month_bounds, shifted
from stempelwerk_cloud.office.costs import service as costs
from stempelwerk_cloud.office.exports import queries
from stempelwerk_cloud.office.exports.files import making
from stempelwerk_cloud.office.exports.month import content
from stempelwerk_cloud.office.exports.month.months import state_of
from stempelwerk_cloud.office.exports.month.paying import paid_kinds
from stempelwerk_cloud.office.time_account import all_people
from stempelwerk_cloud.people.directory.tables import CompanySetting, PersonValue
from stempelwerk_cloud.planning.facts.tables import FreeDay
from stempelwerk_cloud.timekeeping.ledger.purged import is_purged

Looked = dict[date, dict[Any, Any]]
_Values = set[tuple[Any, ...]]
"""Stored values as (person or None for all people, first day, value)."""


def altering(session: Session, company_id: str, today: date, now: datetime) -> Callable[[], Looked]:
    """Reads the values before a change, and returns a function that computes the figures.

    The caller calls it first after the change is made, and again after it is rolled back.
    """
    values_before, values_after = _read_values(session, company_id), None
    unaltered: set[str] = set()

    def look() -> Looked:
        nonlocal values_after
        session.expire_all()
        is_made = values_after is None
        if values_after is None:
            values_after = _read_values(session, company_id)
        looked = _reckoned(session, company_id, today)
        if differences := values_before ^ values_after:
            person_ids = (
                None
                if any(person_id is None for person_id, *_ in differences)
                else {person_id for person_id, *_ in differences}
            )
            # A night of the day before reaches into the first day.
            first_day = min(day for _, day, *_ in differences)
            first_day = first_day if first_day == date.min else shifted(first_day, -1)
            exported_states = queries.states(session, company_id) if is_made and person_ids is None else {}
            _read(session, company_id, first_day, person_ids, now, looked, exported_states, unaltered)
        return looked

    return look


def _read_values(session: Session, company_id: str) -> _Values:
    of_people = select(PersonValue.user_id, PersonValue.valid_from, PersonValue.name, PersonValue.value)
    of_company = select(CompanySetting.valid_from, CompanySetting.setting, CompanySetting.value)
    free = select(FreeDay.date, FreeDay.name, FreeDay.half, FreeDay.legal)
    values: _Values = {tuple(row) for row in session.execute(of_people.where(PersonValue.company_id == company_id))}
    for query, table in ((of_company, CompanySetting), (free, FreeDay)):
        values |= {(None, *row) for row in session.execute(query.where(table.company_id == company_id))}
    return values


def _reckoned(session: Session, company_id: str, today: date) -> Looked:
    looked: Looked = defaultdict(dict)
    for (user_id, first), figures in all_people.figures(session, company_id, today).items():
        looked[first]["account", user_id] = figures
    first_day = min([*looked, today])
    for (user_id, first), cost in costs.figures(session, company_id, first_day, today).items():
        looked[first]["cost", user_id] = cost
    return looked


def _read(
    session: Session,
    company_id: str,
    first_day: date,
    person_ids: Collection[str] | None,
    now: datetime,
    looked: Looked,
    exported_states: Mapping[str, bytes | None],
    unaltered: set[str],
) -> None:
    """Adds to `looked` the contents of the files of each exported month, and the differences of each locked month.

    `exported_states`: the digests of months as they were exported. A month that still has its digest after the change
    is `unaltered` and is not read again.
    """
    exported, locked = queries.months(session, company_id)
    mapping, current = queries.mapping_of(session, company_id), queries.stored_mapping(session, company_id)
    mappings = queries.mappings(session, company_id)
    rules = making.rules(session, company_id, exported | locked)
    for name in (exported | locked) - unaltered:
        first, last = month_bounds(name)
        if last < first_day or is_purged(session, company_id, first):
            continue
        kinds = paid_kinds(mappings.get(name) or current)
        supplements = name not in locked or kinds.has_surcharges
        month = content.of_month(
            session, company_id, first, now, supplements=supplements, person_ids=person_ids, rule=rules[name]
        )
        if name not in locked and state_of(month) == exported_states.get(name):
            unaltered.add(name)
            continue
        files = None if name in locked else making.digest_file_contents(month, mapping)
        looked[first]["payroll"] = month.figures(kinds), files
