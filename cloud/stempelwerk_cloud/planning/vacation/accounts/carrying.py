"""The leave that is carried into a year, stored with the balances of time accounts, so that no earlier years need be
read.

`office/time_account` stores it, and deletes it when a fact before that January changes (`BalanceCache`).
"""

from collections.abc import Collection
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.leave import Carried
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows

_NEWEST = Statement(
    "SELECT k.user_id::text, k.first::text, k.leave_halves, k.leave_ill, k.leave_parents, k.leave_parents_back::text"
    " FROM @rows(w: user_id uuid)"
    " @lookup(k: kept_balances WHERE k.company_id = :company::uuid AND k.user_id = w.user_id AND k.first ="
    " (SELECT n.first FROM kept_balances n WHERE n.company_id = :company::uuid AND n.user_id = w.user_id"
    " AND n.first <= :first::date AND n.leave_halves IS NOT NULL ORDER BY n.first DESC LIMIT 1))"
)


class Start(NamedTuple):
    """The start of a year of leave, with the carried days.

    `parents_back`: the day after the last Elternzeit or Mutterschutz before it.
    """

    year: int
    carried: Carried
    parents_back: date | None = None

    @property
    def first(self) -> date:
        """Returns the first day of the year."""
        return date(self.year, 1, 1)


def starts_of(session: Session, company_id: str, user_ids: Collection[str], year: int) -> dict[str, Start]:
    """Returns the newest stored start of each person, up to that of `year`; omits people without one."""
    session.flush()
    people = as_rows([{"user_id": user_id} for user_id in sorted(user_ids)])
    next_january = date(min(year + 1, date.max.year), 1, 1)
    rows = Sql(session).rows(_NEWEST, {"company": company_id, "w": people, "first": next_january.isoformat()})
    return {
        user_id: Start(
            date.fromisoformat(first).year - 1,
            Carried(halves, ill, parents),
            None if back is None else date.fromisoformat(back),
        )
        for user_id, first, halves, ill, parents, back in rows
    }


def start_columns(start: Start | None) -> dict[str, Any]:
    """Returns the columns of the balance of a January for the start of the year before it; all null for None."""
    halves, ill, parents = (None, None, None) if start is None else start.carried
    back = None if start is None else start.parents_back
    return {"leave_halves": halves, "leave_ill": ill, "leave_parents": parents, "leave_parents_back": back}
