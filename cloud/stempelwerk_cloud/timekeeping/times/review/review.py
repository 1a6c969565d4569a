"""The review: entries that an administrator should look at, because they have flags or were left open.

- A page is read from an index that contains only flagged entries.
- An entry left open has no flag: that follows from its age, and no statement runs when it grows too old. An index of
  open entries would have to be updated at every Kommen and every Gehen.
- So `sweep` marks open entries of past days (`LEFT_OPEN`), which puts them into the index of flagged entries. Only the
  entries of the last days are scanned.
- `swept_to` records how far the marks reach, and a writer of an older entry marks it at once. So a page is correct,
  whenever the last sweep was.
- Work on leave is no stored flag either. Entries on days off are looked up by those days, back to `OFF_SINCE`.
- Flags that an administrator has confirmed are not shown again; a later flag of the same entry is shown.
"""

import uuid
from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import MILLISECOND, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.kit.ports import NO_DAYS_OFF, DaysOff, WorkedOnLeave, no_leave
from stempelwerk_cloud.people.directory.companies import lock_rules
from stempelwerk_cloud.people.directory.people import hidden_in, usernames
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import NEVER_SWEPT
from stempelwerk_cloud.timekeeping.ledger.settings import rules_of
from stempelwerk_cloud.timekeeping.status_bits import LEFT_OPEN, confirmed_words, flag_words
from stempelwerk_cloud.timekeeping.times.reading.times import beside, is_running

MISSING_OUT = "missing_out"
LOOKED_THROUGH = timedelta(days=3)
"""The last days are scanned for open entries instead of marked. An older open entry is no longer running in any time
zone.
"""
OFF_SINCE = timedelta(days=400)
"""How far back an entry is reviewed because of work on leave; the list of a person's times shows that flag without
limit.
"""
SWEPT_EVERY = timedelta(minutes=1)
_FIRST_ID, _LAST_ID = "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"
Ports = tuple[WorkedOnLeave, DaysOff]

_CONFIRMED = "SELECT c.bits FROM review_confirmations c WHERE c.company_id = :company::uuid AND c.entry_id = e.id"
_SETTLED = f"EXISTS ({_CONFIRMED} AND e.flags & ~c.bits = 0)"
_COLUMNS = f"e.id::text AS id, p.user_id::text, e.date::text, e.flags, e.start_at, e.end_at, ({_CONFIRMED}) AS known"
_RANGE = "e.id >= :least::uuid AND e.id < :before::uuid"
# Each half has its own index.
_ANYHOW = (
    f"SELECT * FROM (SELECT {_COLUMNS} FROM entries e CROSS JOIN person_numbers p"  # noqa: S608 -- names of columns, no values
    f" WHERE e.company_id = :company::uuid AND e.flags <> 0 AND {_RANGE} AND NOT {_SETTLED}"
    " AND p.company_id = :company::uuid AND p.no = e.person_no ORDER BY e.id DESC LIMIT :limit) AS flagged"
    f" UNION ALL SELECT * FROM (SELECT {_COLUMNS} FROM person_numbers p CROSS JOIN entries e"
    " WHERE p.company_id = :company::uuid AND e.company_id = :company::uuid AND e.person_no = p.no AND e.date >="
    " (SELECT coalesce(max(d.swept_to), :never::date) FROM derivation_revisions d WHERE d.company_id = :company::uuid)"
    f" AND e.end_at IS NULL AND e.flags = 0 AND e.start_at < :begun AND {_RANGE}"
    " ORDER BY e.id DESC LIMIT :limit) AS open"
)
_KNOWN = Statement(
    "SELECT c.entry_id::text, c.bits FROM @rows(w: id uuid)"
    " @lookup(c: review_confirmations WHERE c.company_id = :company::uuid AND c.entry_id = w.id)"
)
_SWEPT_TO = Statement(
    "SELECT coalesce(max(swept_to), :never::date)::text FROM derivation_revisions WHERE company_id = :company::uuid"
)
# A company whose tags, settings and decisions never changed has no revision, and no entries either.
_UNSWEPT = Statement(
    "SELECT company_id::text FROM derivation_revisions"
    " WHERE swept_to IS NULL OR swept_to < :day::date ORDER BY company_id LIMIT 1"
)
_MARK = Statement(
    f"UPDATE entries SET flags = flags | {LEFT_OPEN} FROM person_numbers p"  # noqa: S608 -- a constant
    " WHERE p.company_id = :company::uuid AND entries.company_id = p.company_id AND entries.person_no = p.no"
    " AND entries.date >= :swept_to::date AND entries.date < :day::date AND entries.end_at IS NULL"
    f" AND entries.flags < {LEFT_OPEN}"
)
_SWEPT = Statement(
    "UPDATE derivation_revisions SET revision = revision + 1, swept_to = :day::date WHERE company_id = :company::uuid"
)


@lru_cache
def _statement(days_off: DaysOff) -> Statement:
    """Returns the statement that reads flagged entries, open entries, and further entries on days off.

    It is one statement, so that an entry which is marked meanwhile is not missed. DISTINCT, because a day may be
    vacation and illness at once.
    """
    return Statement(
        f"{_ANYHOW} UNION ALL SELECT * FROM (SELECT DISTINCT {_COLUMNS} FROM ({days_off}) AS w"  # noqa: S608 -- no values
        " CROSS JOIN person_numbers p"
        " @lookup(e: entries WHERE e.company_id = :company::uuid AND e.person_no = p.no AND e.date >= w.first"
        f" AND e.date <= w.last AND {_RANGE})"
        " WHERE p.company_id = :company::uuid AND p.user_id = w.user_id"
        f" AND (e.flags = 0 AND e.end_at IS NOT NULL OR e.flags <> 0 AND {_SETTLED})"
        " ORDER BY id DESC LIMIT :limit) AS off ORDER BY id DESC LIMIT :limit"
    )


class Reviewed(NamedTuple):
    """An entry to review, with the flags that are not yet confirmed."""

    entry_id: str
    user_id: str
    username: str
    date: object
    flags: list[str]


class _Row(NamedTuple):
    id: str
    user_id: str
    date: str
    flags: int
    start_ms: int | None
    end_ms: int | None
    confirmed: int | None


def page(
    session: Session,
    company_id: str,
    now: datetime,
    limit: int,
    before_id: str | None,
    worked_on_leave: WorkedOnLeave = no_leave,
    days_off: DaysOff = NO_DAYS_OFF,
) -> tuple[list[Reviewed], str | None]:
    """Returns entries to review, newest first, and the id to continue before; that is None if there are no more.

    An entry without an end is among them once it is too old to be running.
    """
    names = usernames(session, company_id)
    reviewed_rows = _read_reviewed(
        session, company_id, now, _step(limit + 1), before_id or _LAST_ID, (worked_on_leave, days_off)
    )
    reviewed = [
        Reviewed(row.id, row.user_id, names.get(row.user_id, ""), row.date, flags)
        for row, flags in islice(reviewed_rows, limit + 1)
    ]
    return reviewed[:limit], reviewed[limit - 1].entry_id if len(reviewed) > limit else None


def count(session: Session, company_id: str, now: datetime, ports: Ports, limit: int) -> int:
    """Returns the number of entries in the review, at most `limit`."""
    reviewed_rows = _read_reviewed(session, company_id, now, _step(limit), _LAST_ID, ports, counting_only=True)
    return sum(1 for _ in islice(reviewed_rows, limit))


def find(session: Session, company_id: str, entry_id: str, now: datetime, ports: Ports) -> Reviewed | None:
    """Returns the entry with its open flags; None if there is nothing to review. The username is empty: the caller
    knows the person.
    """
    next_id = str(uuid.UUID(int=uuid.UUID(entry_id).int + 1))
    for row, flags in _read_reviewed(session, company_id, now, 1, next_id, ports, entry_id):
        return Reviewed(row.id, row.user_id, "", row.date, flags)
    return None


def _step(limit: int) -> int:
    """Returns how many rows to read for `limit` results. A quarter more usually saves a second read, because some rows
    are confirmed or no work on leave.
    """
    return limit + limit // 4


def _read_reviewed(
    session: Session,
    company_id: str,
    now: datetime,
    step: int,
    before_id: str,
    ports: Ports,
    first_id: str = _FIRST_ID,
    counting_only: bool = False,
) -> Iterator[tuple[_Row, list[str]]]:
    """Yields the entries to review with their open flags, newest first; reads `step` rows at a time.

    `counting_only`: entries that have other open flags are not checked for work on leave.
    """
    worked_on_leave, days_off = ports
    rules, hidden = rules_of(session, company_id), hidden_in(session, company_id)
    session.flush()
    parameters = {
        "company": company_id,
        "never": NEVER_SWEPT,
        "begun": ms_of(now) - rules.shortest_shift // MILLISECOND,
        "limit": step,
        "least": first_id,
        "since": (now.date() - OFF_SINCE).isoformat(),
    }
    for rows in _newest(Sql(session), _statement(days_off), parameters, before_id):
        candidates = [
            (row, _flags(row, rules, now), confirmed_words(row.confirmed or 0))
            for row in rows
            if row.user_id not in hidden
        ]
        asked_of = {
            (row.user_id, date.fromisoformat(row.date))
            for row, flags, confirmed in candidates
            if not counting_only or confirmed.issuperset(flags)
        }
        worked = worked_on_leave(session, company_id, asked_of)
        on_leave = {(user_id, day.isoformat()) for user_id, day in worked}
        for row, own_flags, confirmed in candidates:
            flags = beside(own_flags, worked_on_leave=(row.user_id, row.date) in on_leave)
            if open_flags := [flag for flag in flags if flag not in confirmed]:
                yield row, open_flags


def confirmed(session: Session, company_id: str, entry_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Returns the confirmed flags by entry, for those of these entries that have any."""
    id_rows = as_rows([{"id": entry_id} for entry_id in entry_ids])
    rows = Sql(session).rows(_KNOWN, {"company": company_id, "w": id_rows}) if entry_ids else []
    return {entry_id: confirmed_words(bits) for entry_id, bits in rows}


def sweep(session: Session, now: datetime) -> bool:
    """Marks the open entries of one company whose sweep is due. Returns whether there was one; then the job
    runs again.
    """
    sql = Sql(session)
    day = (now - LOOKED_THROUGH).date().isoformat()
    waiting = sql.rows(_UNSWEPT, {"day": day})
    for (company_id,) in waiting:
        lock_rules(session, company_id)
        ((swept_to,),) = sql.rows(_SWEPT_TO, {"company": company_id, "never": NEVER_SWEPT})
        if swept_to < day:  # no other process has swept it meanwhile
            sql.do(_MARK, {"company": company_id, "swept_to": swept_to, "day": day})
            sql.do(_SWEPT, {"company": company_id, "day": day})
    return bool(waiting)


def _newest(sql: Sql, statement: Statement, parameters: dict[str, object], before_id: str) -> Iterator[Sequence[_Row]]:
    """Yields the candidates for the review, newest first, in lists of `parameters["limit"]` rows."""
    while rows := [_Row(*row) for row in sql.rows(statement, {**parameters, "before": before_id})]:
        yield rows
        if len(rows) != parameters["limit"]:
            return
        before_id = rows[-1].id


def _flags(row: _Row, rules: DatedRules, now: datetime) -> tuple[str, ...]:
    """Returns the flags of an entry, with `missing_out` for one that is too old to be running."""
    flags = tuple(flag_words(row.flags))
    if row.end_ms is None and row.start_ms is not None and MISSING_OUT not in flags:
        flags += () if is_running(row.start_ms, rules, now) else (MISSING_OUT,)
    return flags
