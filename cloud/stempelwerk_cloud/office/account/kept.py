"""What accounts carry out of ended months, as it is kept: so a balance of today needs the facts of one month alone.

Of each person the running month's is kept, that of the month before, and that of each January (`keeping`), with what
leave carries. It falls with any fact that is written about a day before it: whatever is written of leave and its
notices, absences, bookings, free days, people's values or settings by whichever room (`_written`), and entries, of
which the derivation tells (`entries_moved`). Until it is kept anew, accounts are made from all facts. What is removed
because its time is over is no fact that changes, so it takes nothing along. A release that counts past months or leave
in another way deletes all rows that are not final in a migration of its own.
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
    Booking,
    FreeDay,
    KeptBalance,
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
"""The tables of facts of accounts and leave, each with the column of the first day that a row concerns."""

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
    """By person, whose account has begun: the newest that is kept up to the month of this first day.

    Where the times of that month have gone, the final one, with which the account begins: before it is nothing.
    """
    session.flush()
    wanted = as_rows([{"user_id": user_id} for user_id in user_ids])
    rows = Sql(session).rows(_NEWEST, {"company": company_id, "w": wanted, "first": first.isoformat()})
    return {user_id: Kept(date.fromisoformat(month), minutes) for user_id, month, minutes in rows}


def final_of(session: Session, company_id: str, user_id: str) -> date | None:
    """With which month the account begins since the times before it have gone."""
    own = (KeptBalance.company_id == company_id) & (KeptBalance.user_id == user_id)
    return session.scalar(select(KeptBalance.first).where(own, KeptBalance.is_final))


def settle(session: Session, company_id: str, user_id: str, first: date, minutes: int | None) -> None:
    """From now on the account begins with these minutes, whatever stood before; None: it begins later anyway."""
    own = (KeptBalance.company_id == company_id) & (KeptBalance.user_id == user_id)
    session.execute(delete(KeptBalance).where(own, KeptBalance.first <= first))
    if minutes is not None:
        row = KeptBalance(company_id=company_id, user_id=user_id, first=first, minutes=minutes, is_final=True)
        session.add(row)
        session.flush()


def entries_moved(_: object, company_id: str, since: Mapping[str, str], writing: RowBuffer) -> None:
    """What is kept for months after these days of people falls, along with what else is written."""
    writing.add(_FALL, [{"user_id": user_id, "day": day} for user_id, day in since.items()], company_id)


@event.listens_for(Session, "before_flush")
def _written(session: Session, *_: object) -> None:
    """What is kept for months after the day of a fact that is about to be written falls; a company's, for everybody."""
    since: defaultdict[tuple[str, str | None], date] = defaultdict(lambda: date.max)
    for row in (*session.new, *session.dirty, *session.deleted):
        name = _DAY_OF.get(type(row))
        if name is not None:
            now = getattr(row, name)  # first, because of what is not loaded nothing is known
            state, before = inspect(row), inspect(row).attrs[name].history
            moved_from_anywhere = state.persistent and before.added and not before.deleted
            days = [date.min] if moved_from_anywhere else [now, *before.deleted]
            whose = row.company_id, getattr(row, "user_id", None)
            since[whose] = min(since[whose], *days)
    for (company_id, user_id), day in since.items():
        fallen = delete(KeptBalance).where(
            KeptBalance.company_id == company_id, KeptBalance.first > day, ~KeptBalance.is_final
        )
        if user_id is not None:
            fallen = fallen.where(KeptBalance.user_id == user_id)
        session.execute(fallen.execution_options(synchronize_session=False))


@event.listens_for(Session, "do_orm_execute")
def _by_objects_alone(asked: ORMExecuteState) -> None:
    """Nobody changes such facts past `_written`."""
    if asked.is_update and asked.bind_mapper is not None and asked.bind_mapper.class_ in _DAY_OF:
        raise RuntimeError(f"{asked.bind_mapper.class_.__name__} is changed by its objects alone")
