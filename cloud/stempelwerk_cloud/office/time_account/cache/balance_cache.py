"""Stored balances that accounts carry out of ended months. With one, today's balance needs only the facts of one
month.

- Each person has one for the running month, the month before and each January (`cache_refresh`), with the carried
  leave.
- Any fact about an earlier day deletes it. `_drop_balances` does that for leave and its notices, absences, bookings,
  free days, people's values and settings, in whichever room they are written. The derivation reports changed entries
  (`entries_moved`).
- Until it is stored again, accounts are computed from all facts.
- A purge of expired rows changes no facts and deletes no balance.
- A release that computes past months or leave in another way deletes all rows that are not final, in a migration.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any, Final

from sqlalchemy import delete, event, inspect, select
from sqlalchemy.orm import ORMExecuteState, Session

from stempelwerk_cloud.domain.account import Kept
from stempelwerk_cloud.kit.database.statements import RowBuffer, Sql, Statement, as_rows
from stempelwerk_cloud.people.directory.tables import CompanySetting, PersonValue
from stempelwerk_cloud.planning.facts.tables import (
    Absence,
    BalanceCache,
    Booking,
    FreeDay,
    VacationNotice,
    VacationRequest,
)

_DAY_OF: Final[Mapping[type[Any], str]] = {
    VacationRequest: "start_date",
    VacationNotice: "until",
    Absence: "date",
    Booking: "date",
    FreeDay: "date",
    PersonValue: "valid_from",
    CompanySetting: "valid_from",
}
"""The tables of facts of accounts and leave, each with the column of the first day that a row can affect."""

_FALL = Statement(
    "DELETE FROM kept_balances USING @rows(r: user_id uuid, day date) WHERE kept_balances.company_id = :company::uuid"
    " AND kept_balances.user_id = r.user_id AND kept_balances.first > r.day AND NOT kept_balances.is_final",
    sqlite="DELETE FROM kept_balances WHERE rowid IN (SELECT k.rowid FROM @rows(r: user_id uuid, day date)"
    " CROSS JOIN kept_balances k WHERE k.company_id = :company AND k.user_id = r.user_id AND k.first > r.day"
    " AND NOT k.is_final)",
)

_NEWEST = Statement(
    "SELECT k.user_id::text, k.first::text, k.minutes FROM @rows(w: user_id uuid)"
    " @lookup(k: kept_balances WHERE k.company_id = :company::uuid AND k.user_id = w.user_id AND k.first ="
    " (SELECT n.first FROM kept_balances n WHERE n.company_id = :company::uuid AND n.user_id = w.user_id"
    " AND n.first <= CASE WHEN n.is_final THEN n.first ELSE :first::date END"
    " ORDER BY n.first DESC LIMIT 1)) WHERE k.minutes IS NOT NULL"
)


def of_people(session: Session, company_id: str, user_ids: Collection[str], first: date) -> dict[str, Kept]:
    """Returns by person the newest stored balance up to the month of `first`; omits accounts that have not begun.

    If the times of that month have been purged, the final balance is returned: the account begins with it.
    """
    session.flush()
    person_rows = as_rows([{"user_id": user_id} for user_id in user_ids])
    rows = Sql(session).rows(_NEWEST, {"company": company_id, "w": person_rows, "first": first.isoformat()})
    return {user_id: Kept(date.fromisoformat(month), minutes) for user_id, month, minutes in rows}


def final_of(session: Session, company_id: str, user_id: str) -> date | None:
    """Returns the first day of the month that the account begins with because earlier times were purged; otherwise
    None.
    """
    of_person = (BalanceCache.company_id == company_id) & (BalanceCache.user_id == user_id)
    return session.scalar(select(BalanceCache.first).where(of_person, BalanceCache.is_final))


def settle(session: Session, company_id: str, user_id: str, first: date, minutes: int | None) -> None:
    """Stores these minutes as the final balance that the account begins with, and deletes earlier balances.

    None: the account begins later anyway.
    """
    of_person = (BalanceCache.company_id == company_id) & (BalanceCache.user_id == user_id)
    session.execute(delete(BalanceCache).where(of_person, BalanceCache.first <= first))
    if minutes is not None:
        row = BalanceCache(company_id=company_id, user_id=user_id, first=first, minutes=minutes, is_final=True)
        session.add(row)
        session.flush()


def entries_moved(_: object, company_id: str, since: Mapping[str, str], writing: RowBuffer) -> None:
    """Deletes the balances of months after these days (by user id), in the transaction that writes the entries."""
    writing.add(_FALL, [{"user_id": user_id, "day": day} for user_id, day in since.items()], company_id)


@event.listens_for(Session, "before_flush")
def _drop_balances(session: Session, *_: object) -> None:
    """Deletes the balances of months after the day of each fact that is about to be written.

    A fact about the company deletes those of all people.
    """
    first_changed: defaultdict[tuple[str, str | None], date] = defaultdict(lambda: date.max)
    for row in (*session.new, *session.dirty, *session.deleted):
        name = _DAY_OF.get(type(row))
        if name is not None:
            now = getattr(row, name)  # read first: unloaded attributes have no history
            state, history = inspect(row), inspect(row).attrs[name].history
            moved_from_anywhere = state.persistent and history.added and not history.deleted
            days = [date.min] if moved_from_anywhere else [now, *history.deleted]
            owner = row.company_id, getattr(row, "user_id", None)
            first_changed[owner] = min(first_changed[owner], *days)
    for (company_id, user_id), day in first_changed.items():
        fallen = delete(BalanceCache).where(
            BalanceCache.company_id == company_id, BalanceCache.first > day, ~BalanceCache.is_final
        )
        if user_id is not None:
            fallen = fallen.where(BalanceCache.user_id == user_id)
        session.execute(fallen.execution_options(synchronize_session=False))


@event.listens_for(Session, "do_orm_execute")
def _reject_bulk_updates(execute_state: ORMExecuteState) -> None:
    """Raises RuntimeError for a bulk update of these facts, because `_drop_balances` does not see it."""
    if (
        execute_state.is_update
        and execute_state.bind_mapper is not None
        and execute_state.bind_mapper.class_ in _DAY_OF
    ):
        raise RuntimeError(f"{execute_state.bind_mapper.class_.__name__} is changed by its objects alone")
