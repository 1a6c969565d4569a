"""The list of people that a clock keeps, so that it can greet them while there is no network.

A revision is opaque to clocks; it names the assignment, the local day (on which the minutes depend) and the newest
change. Changes are told again for a while after they were made, because a transaction that began earlier may be
committed later.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries import Entry
from stempelwerk_cloud.domain.instants import DAY, local_day
from stempelwerk_cloud.domain.presence import presence, week_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit import expiry
from stempelwerk_cloud.kit.db import from_ms
from stempelwerk_cloud.kit.schemas import format_instant
from stempelwerk_cloud.kit.statements import Sql, Statement, as_rows
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.users.service import Person
from stempelwerk_cloud.timekeeping.entries.tables import PeopleChange
from stempelwerk_cloud.timekeeping.words import flag_words

OVERLAP = timedelta(minutes=2)
KEPT = timedelta(days=7)
_REVISION = re.compile(r"([^.]*)\.([^.]*)\.([0-9]{1,18})\.([0-9]{1,18})")

# The whole bound is a subquery: beside row level security a condition with `coalesce` in it is no index condition.
_NEWEST = Statement(
    "SELECT max(changed_at), count(*) FROM people_changes WHERE company_id = :company::uuid AND changed_at >"
    " (SELECT coalesce(max(changed_at), 0) - :overlap FROM people_changes WHERE company_id = :company::uuid)"
)
_CHANGED = Statement("SELECT people FROM people_changes WHERE company_id = :company::uuid AND changed_at > :since")
_BY_NUMBER = Statement(
    "SELECT p.user_id::text FROM @rows(w: no int) CROSS JOIN person_numbers p"
    " WHERE p.no = w.no AND p.company_id = :company::uuid"
)
_ENTRIES = (
    "SELECT p.user_id::text, e.id::text, e.date::text, e.start_at, e.end_at, e.raw_minutes - e.break_minutes, e.flags"
    " FROM @rows(w: user_id uuid) CROSS JOIN person_numbers p"
    " JOIN entries e ON e.company_id = p.company_id AND e.person_no = p.no"
    " WHERE p.company_id = :company::uuid AND p.user_id = w.user_id AND "
)
_RECENT = Statement(f"{_ENTRIES}e.date >= :first")
_LATEST = Statement(
    f"{_ENTRIES}e.id = (SELECT l.id FROM entries l WHERE l.company_id = p.company_id AND l.person_no = p.no"  # noqa: S608 -- constants
    " ORDER BY l.date DESC, l.id DESC LIMIT 1)"
)


class Revision(NamedTuple):
    """What a clock holds: under which assignment, of which day, up to which change."""

    assignment_id: str
    day: str
    changed_ms: int
    changes: int

    def __str__(self) -> str:
        return f"{self.assignment_id}.{self.day}.{self.changed_ms}.{self.changes}"


class PeopleList(NamedTuple):
    """The answer to a clock: `people` are JSON members as the contract names them."""

    revision: Revision
    reset: bool
    people: list[dict[str, Any]]
    removed: list[str]


def revision(session: Session, company_id: str, assignment_id: str, now: datetime) -> Revision:
    """The revision as of now."""
    zone = companies.rules_of(session, company_id).at(now).zone
    newest = Sql(session).rows(_NEWEST, {"company": company_id, "overlap": OVERLAP // timedelta(milliseconds=1)})
    changed_ms, count = newest[0]
    return Revision(assignment_id, local_day(now, zone).isoformat(), changed_ms or 0, count)


def read_revision(text: str | None) -> Revision | None:
    """The revision that a clock repeats; None if there is none that can be read."""
    found = _REVISION.fullmatch(text or "")
    return None if found is None else Revision(found[1], found[2], int(found[3]), int(found[4]))


def people_list(
    session: Session, company_id: str, assignment_id: str, held: Revision | None, now: datetime
) -> PeopleList:
    """Who changed since the revision that the clock holds; everybody if it holds none that fits."""
    current = revision(session, company_id, assignment_id, now)
    reset = (
        held is None
        or held.assignment_id != assignment_id
        or held.changed_ms > current.changed_ms
        or from_ms(held.changed_ms) < now - KEPT + OVERLAP
    )
    everybody = {person.user_id: person for person in users.people_of(session, company_id) if person.tags}
    if reset or held is None or held.day != current.day:
        told: Collection[str] = everybody
    elif held == current:
        told = ()
    else:
        told = _changed_since(session, company_id, held.changed_ms)
    people = _members(session, company_id, [everybody[one] for one in sorted(told) if one in everybody], now)
    removed = [] if reset else sorted(one for one in told if one not in everybody)
    return PeopleList(current, reset, people, removed)


def purge(session: Session, now: datetime) -> None:
    """Forgets changes that no clock asks for any more; who missed them is sent everybody."""
    expiry.remove(session, PeopleChange, PeopleChange.changed_at <= now - KEPT)


def _changed_since(session: Session, company_id: str, since_ms: int) -> set[str]:
    since = since_ms - OVERLAP // timedelta(milliseconds=1)
    sql = Sql(session)
    rows = sql.rows(_CHANGED, {"company": company_id, "since": since})
    numbers = as_rows([{"no": no} for no in sorted({no for row in rows for no in json.loads(row[0])})])
    return {row[0] for row in sql.rows(_BY_NUMBER, {"company": company_id, "w": numbers})}


def _members(session: Session, company_id: str, people: list[Person], now: datetime) -> list[dict[str, Any]]:
    if not people:
        return []
    rules = companies.rules_of(session, company_id)
    today = local_day(now, rules.at(now).zone)
    shows = companies.settings_now(session, company_id, today).clock_shows_balance
    entries = _entries(session, company_id, [person.user_id for person in people], today)
    return [_member(person, entries[person.user_id], now, rules, shows=shows) for person in people]


def _member(person: Person, entries: list[Entry], now: datetime, rules: DatedRules, *, shows: bool) -> dict[str, Any]:
    seen = presence(entries, now, rules)
    return {
        "userId": person.user_id,
        "name": person.username,
        "tags": list(person.tags),
        "state": seen.state,
        "since": None if seen.since is None else format_instant(seen.since),
        "todayMinutes": seen.today_minutes if shows else None,
        "weekMinutes": seen.week_minutes if shows else None,
        # A balance needs a target, and targets come with the page of working hours.
        "balanceMinutes": None,
    }


def _entries(session: Session, company_id: str, user_ids: list[str], today: date) -> defaultdict[str, list[Entry]]:
    """Each person's entries of this week, and the latest of whoever has none in it; sorted."""
    sql = Sql(session)
    monday, _ = week_of(today)
    first = (monday - 2 * DAY).isoformat()
    wanted = as_rows([{"user_id": user_id} for user_id in user_ids])
    found: defaultdict[str, list[Entry]] = defaultdict(list)
    for row in sql.rows(_RECENT, {"company": company_id, "w": wanted, "first": first}):
        found[row[0]].append(_entry(row))
    others = as_rows([{"user_id": user_id} for user_id in user_ids if user_id not in found])
    for row in sql.rows(_LATEST, {"company": company_id, "w": others}):
        found[row[0]].append(_entry(row))
    for entries in found.values():
        entries.sort(key=lambda entry: (entry.known_at, entry.id))
    return found


def _entry(row: tuple[Any, ...]) -> Entry:
    """What presence asks of an entry; the rest is left empty."""
    _, id_, day, start_ms, end_ms, net, flags = row
    start = None if start_ms is None else from_ms(start_ms)
    end = None if end_ms is None else from_ms(end_ms)
    dated = date.fromisoformat(day)
    words = tuple(flag_words(flags))
    return Entry(id_, dated, start, end, None, None, None, None, net, "clock", words, None, None, None, id_, dated)
