"""The list of people that a clock stores, so that it can greet them while the network is down.

A revision names a state of the list; it is opaque to clocks. It contains the assignment, the local day (the figures
depend on it), the newest change, and whether hours are shown. It also counts the changes shortly before the newest,
because a transaction that began earlier may be committed later. After such a commit the changes of that time are sent
again.

The day of a revision changes some minutes after midnight, at another moment for each clock, so that the clocks do not
all ask at once. Answers until then already have the new day's figures and name that day.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import exists
from sqlalchemy.orm import Session, aliased

from stempelwerk_cloud.domain.entries.derivation import Entry
from stempelwerk_cloud.domain.entries.presence import announced_day, presence, week_of
from stempelwerk_cloud.domain.instants import DAY, day_start, from_ms, local_day
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.domain.working_time_act import ADULT, DatedLimits, Limits
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import DEVICES
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.kit.dated import InForce
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.directory.people import Person, people_of
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.timekeeping.ledger.settings import CLOCK_SHOWS_BALANCE
from stempelwerk_cloud.timekeeping.ledger.tables import PeopleChange
from stempelwerk_cloud.timekeeping.status_bits import flag_words

OVERLAP = timedelta(minutes=2)
KEPT = timedelta(days=7)
_newer = aliased(PeopleChange)
NEWEST_OF_COMPANY = ~exists().where(
    _newer.company_id == PeopleChange.company_id, _newer.changed_at > PeopleChange.changed_at
)
SHARED = timedelta(seconds=30)
SHARED_AT_ONCE = 64
_HIDDEN = ".hidden"
_REVISION = re.compile(rf"([^.]*)\.([^.]*)\.([0-9]{{1,18}})\.([0-9]{{1,18}})({re.escape(_HIDDEN)})?")

# With row-level security `max` would read a whole week of changes.
_NEWEST_AT = "(SELECT changed_at FROM people_changes WHERE company_id = {company} ORDER BY changed_at DESC LIMIT 1)"
# The whole bound is a subquery: with row-level security a condition with `coalesce` in it is no index condition.
NEWEST = (
    f"{_NEWEST_AT}, (SELECT count(*) FROM people_changes WHERE company_id = {{company}} AND changed_at >"  # noqa: S608 -- no values
    f" (SELECT coalesce({_NEWEST_AT}, 0) - {OVERLAP // timedelta(milliseconds=1)}))"
)
"""Two columns of a SELECT: the instant of a company's newest change (ms), and the number of changes around it.

They are the argument `newest` of `revision`. Replace `{company}` by an expression for the company's id.
"""

_CHANGED = Statement(
    "SELECT changed_at, people FROM people_changes WHERE company_id = :company::uuid AND changed_at > :since"
)
_BY_NUMBER = Statement(
    "SELECT p.user_id::text FROM @rows(w: no int) CROSS JOIN person_numbers p"
    " WHERE p.no = w.no AND p.company_id = :company::uuid"
)
_WANTED = (
    "SELECT p.user_id::text, e.id::text, e.date::text, e.start_at, e.end_at, e.raw_minutes - e.break_minutes, e.flags"
    " FROM @rows(w: user_id uuid)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = w.user_id) {entries}"
)
_OWN = "e.company_id = p.company_id AND e.person_no = p.no"
_NEWEST_OWN = (
    "FROM entries l WHERE l.company_id = p.company_id AND l.person_no = p.no ORDER BY l.date DESC, l.id DESC LIMIT 1"
)
_RECENT = Statement(_WANTED.format(entries=f"@lookup(e: entries WHERE {_OWN} AND e.date >= :first)"))
_LATEST = Statement(
    _WANTED.format(entries=f"CROSS JOIN LATERAL (SELECT * {_NEWEST_OWN}) AS e"),
    # Without LATERAL: a condition on the whole key is one lookup a person as well.
    sqlite=_WANTED.format(entries=f"JOIN entries e ON {_OWN} AND (e.date, e.id) = (SELECT l.date, l.id {_NEWEST_OWN})"),
)


class Revision(NamedTuple):
    """The state of a clock's list: its assignment, day, newest change, and whether it has hours."""

    assignment_id: str
    day: date
    changed_ms: int
    changes: int
    hours: bool

    @property
    def newest(self) -> tuple[int, int]:
        """The instant of the newest change (ms), and the number of changes around it. The number reveals changes that
        were made at about the same time and committed later.
        """
        return self.changed_ms, self.changes

    def __str__(self) -> str:
        hidden = "" if self.hours else _HIDDEN
        return f"{self.assignment_id}.{self.day.isoformat()}.{self.changed_ms}.{self.changes}{hidden}"


class Company(NamedTuple):
    """The company of a clock's request. `newest` as in `revision`."""

    id: str
    newest: tuple[int | None, int]
    rules: DatedRules
    in_force: InForce


class Seen(NamedTuple):
    """A person's state as a clock shows it; the minutes are None if the company's clocks show no hours."""

    state: str
    since: datetime | None
    today_minutes: int | None
    week_minutes: int | None


class Figures(NamedTuple):
    """Figures about a person on a clock: minutes, and numbers of open hand-overs and unread messages. None:
    not shown.
    """

    target_minutes: int | None = None
    balance_minutes: int | None = None
    open_handovers: int | None = None
    unread_messages: int | None = None

    @property
    def has_content(self) -> bool:
        """Whether a clock shows anything because of these figures. A clock does not show figures of another day."""
        return self.balance_minutes is not None or bool(self.open_handovers) or bool(self.unread_messages)


NO_FIGURES = Figures()
NO_LIMITS = DatedLimits()


class PeopleList(NamedTuple):
    """The answer to a clock: `people` are JSON objects as the contract defines them, with the figures of `day`.

    `reset`: the clock must replace its list. `removed`: the ids of people who are no longer in it.
    """

    revision: Revision
    day: date
    reset: bool
    people: list[dict[str, Any]]
    removed: list[str]


def revision(
    device_id: str, assignment_id: str, newest: tuple[int | None, int], dated: DatedRules, now: datetime, *, hours: bool
) -> Revision:
    """Returns the current revision of the list for one clock.

    `newest`: the instant of the newest change of people (ms; None without changes), and the number of changes around
    it.
    """
    changed_ms, changes = newest
    return Revision(assignment_id, announced_day(device_id, now, dated.at(now).zone), changed_ms or 0, changes, hours)


def read_revision(text: str | None) -> Revision | None:
    """Parses the revision that a clock repeats; None if it is absent or unreadable."""
    match = _REVISION.fullmatch(text or "")
    if match is None:
        return None
    try:
        day = date.fromisoformat(match[2])
    except ValueError:
        return None
    return Revision(match[1], day, int(match[3]), int(match[4]), match[5] is None)


def request_list(
    company: Company, device_id: str, assignment_id: str, held_revision: Revision | None, now: datetime
) -> "ListRequest":
    """Returns the request for the changes since the clock's revision, or for the whole list if the clock cannot
    continue from it.
    """
    hours = company.in_force[CLOCK_SHOWS_BALANCE]
    current = revision(device_id, assignment_id, company.newest, company.rules, now, hours=hours)
    base = held_revision if held_revision is not None and _continues(held_revision, current, now) else None
    return ListRequest(company, current, base, local_day(now, company.rules.at(now).zone))


def shared_list(platform: Platform, list_request: "ListRequest", now: datetime) -> PeopleList | None:
    """Returns the cached answer to the same request of another clock of the company; None without one of the last 30
    seconds.
    """
    made_at, list_content = _SHARED_LISTS.of(platform).get(list_request.key, (None, None))
    if list_content is None or made_at is None or not timedelta() <= now - made_at < SHARED:
        return None
    return _list(list_request, list_content)


def people_list(platform: Platform, list_request: "ListRequest", now: datetime) -> PeopleList:
    """Reads the list for the request, and caches it for `shared_list`."""
    with platform.database.read(DEVICES) as session:
        list_content = read_list(session, platform, list_request, now)
    answers = _SHARED_LISTS.of(platform)
    if len(answers) >= SHARED_AT_ONCE:
        answers.clear()
    answers[list_request.key] = now, list_content
    return _list(list_request, list_content)


def _list(list_request: "ListRequest", list_content: "ListContent") -> PeopleList:
    return PeopleList(list_request.current, list_request.today, list_request.base is None, *list_content)


class ListRequest(NamedTuple):
    """A clock's request for the list. `base`: the revision that the clock has; None: it needs the whole list.

    Requests with the same `key` get the same answer.
    """

    company: Company
    current: Revision
    base: Revision | None
    today: date

    @property
    def key(self) -> tuple[object, ...]:
        base, current = self.base, self.current
        base_key = None if base is None else (base.day, base.newest, base.hours)
        return self.company.id, self.today, current.day, current.newest, current.hours, base_key


ListContent = tuple[list[dict[str, Any]], list[str]]
_SHARED_LISTS: Slot[Platform, dict[tuple[object, ...], tuple[datetime, ListContent]]] = Slot(lambda _: {})
"""The lists that the process has read lately, each with the instant when it was read."""


def read_list(session: Session, platform: Platform, list_request: ListRequest, now: datetime) -> ListContent:
    """Reads the changes that the request asks for: the people as JSON objects of the contract, and the ids of removed
    people.
    """
    company, current, base, today = list_request
    everybody = base is None or base.hours != current.hours
    listed_ids: set[str] = set()
    if base is not None and not everybody and base.newest != current.newest:
        listed_ids = _changed_since(session, company.id, base.newest)
    turned = base is not None and base.day != current.day
    persons = people_of(session, company.id, now, None if everybody or turned else sorted(listed_ids))
    people = {person.user_id: person for person in persons if person.tags}
    if everybody:
        listed_ids = set(people)
    queried_ids = sorted(people) if turned else sorted(listed_ids & people.keys())
    entries = _entries(session, company.id, queried_ids, today if base is None else min(base.day, today))
    figures = _figures(session, platform, list_request, queried_ids, now)
    limits = employment.limits_of(session, company.id, None if everybody or turned else queried_ids)
    if base is not None and turned:
        then = day_start(base.day, company.rules.at(now).zone)
        listed_ids |= _changed_by_new_day(entries, then, now, company.rules, hours=current.hours)
        listed_ids |= {user_id for user_id, of_one in figures.items() if of_one.has_content}
        listed_ids |= {
            person.user_id
            for person in people.values()
            if person.leaves_at is not None and then < person.leaves_at <= now
        }
        listed_ids |= {
            user_id for user_id, dated in limits.items() if dated.on(base.day) != dated.on(today)
        } & people.keys()
    members = [
        _member(
            person,
            _view_person(entries[person.user_id], now, company.rules, hours=current.hours),
            figures.get(person.user_id, NO_FIGURES),
            limits.get(person.user_id, NO_LIMITS).on(today),
        )
        for person in people.values()
        if person.user_id in listed_ids
    ]
    return members, [] if base is None else sorted(listed_ids - people.keys())


def _continues(held_revision: Revision, current: Revision, now: datetime) -> bool:
    """Whether all changes since the clock's revision are still stored, so that the clock can keep its list."""
    if held_revision.assignment_id != current.assignment_id or held_revision.changed_ms > current.changed_ms:
        return False
    complete = held_revision.newest == current.newest or from_ms(held_revision.changed_ms) >= now - KEPT + OVERLAP
    return complete and abs(current.day - held_revision.day) <= KEPT


def _changed_since(session: Session, company_id: str, base_change: tuple[int, int]) -> set[str]:
    """Returns the ids of the people who have changed since `base_change` (instant in ms, and number of changes around
    it).

    Includes the changes around that instant, if one of them was committed later.
    """
    changed_ms, changes = base_change
    sql = Sql(session)
    since_ms = changed_ms - OVERLAP // timedelta(milliseconds=1)
    rows = sql.rows(_CHANGED, {"company": company_id, "since": since_ms})
    later = [people for changed_at, people in rows if changed_at > changed_ms]
    if len(rows) - len(later) != changes:
        later = [people for _, people in rows]
    numbers = as_rows([{"no": no} for no in sorted({no for people in later for no in json.loads(people)})])
    return {row[0] for row in sql.rows(_BY_NUMBER, {"company": company_id, "w": numbers})}


def _changed_by_new_day(
    entries: Mapping[str, list[Entry]], then: datetime, now: datetime, dated: DatedRules, *, hours: bool
) -> set[str]:
    """Returns the people whose state now differs from their state at `then`, the beginning of a past day.

    The state at the beginning of the day is enough: nothing but a tap brings a person in, so a person who has gone out
    since then is always listed. A person with minutes of today is always listed, because the clock has those of another
    day.
    """
    turned_ids = set()
    for user_id, person_entries in entries.items():
        current_view = _view_person(person_entries, now, dated, hours=hours)
        if current_view.today_minutes or current_view != _view_person(person_entries, then, dated, hours=hours):
            turned_ids.add(user_id)
    return turned_ids


def _figures(
    session: Session, platform: Platform, list_request: ListRequest, user_ids: list[str], now: datetime
) -> dict[str, Figures]:
    """Returns the figures that other rooms have about these people; balances only if the company's clocks
    show hours.
    """
    if not user_ids:
        return {}
    company_id = list_request.company.id
    balances = (
        ports.BALANCES.of(platform)(session, company_id, user_ids, list_request.today)
        if list_request.current.hours
        else {}
    )
    inboxes = ports.INBOX_COUNTS.of(platform)(session, company_id, user_ids, now)
    unknown = (None, None)
    return {user_id: Figures(*balances.get(user_id, unknown), *inboxes.get(user_id, unknown)) for user_id in user_ids}


def _view_person(entries: list[Entry], instant: datetime, dated: DatedRules, *, hours: bool) -> Seen:
    person_presence = presence(entries, instant, dated)
    return Seen(
        person_presence.state,
        person_presence.since,
        *((person_presence.today_minutes, person_presence.week_minutes) if hours else (None, None)),
    )


def _member(person: Person, view: Seen, figures: Figures, limits: Limits) -> dict[str, Any]:
    return {
        "userId": person.user_id,
        "name": person.username,
        "tags": list(person.tags),
        "state": view.state,
        "since": None if view.since is None else format_instant(view.since),
        "todayMinutes": view.today_minutes,
        "weekMinutes": view.week_minutes,
        "targetMinutes": figures.target_minutes,
        "balanceMinutes": figures.balance_minutes,
        "openHandovers": figures.open_handovers,
        "unreadMessages": figures.unread_messages,
        **({"steward": True} if person.steward else {}),
        **({} if (member := limits_member(limits)) is None else {"limits": member}),
    }


def limits_member(limits: Limits) -> dict[str, Any] | None:
    """Returns limits of working time as the JSON member of the contract, without a reason; None for an
    adult's limits.
    """
    if limits == ADULT:
        return None
    return {
        "shiftMinutes": limits.shift_minutes,
        "restMinutes": limits.rest_minutes,
        "breaks": [[step.over_minutes, step.minutes] for step in limits.break_steps],
        "night": None if limits.night is None else [f"{minute // 60:02}:{minute % 60:02}" for minute in limits.night],
    }


def _entries(session: Session, company_id: str, user_ids: list[str], since_day: date) -> defaultdict[str, list[Entry]]:
    """Returns each person's entries since the week of `since_day`, sorted; for a person without any, their latest
    entry.
    """
    entries_by_user: defaultdict[str, list[Entry]] = defaultdict(list)
    if not user_ids:
        return entries_by_user
    sql = Sql(session)
    monday, _ = week_of(since_day)
    first = (monday - 2 * DAY).isoformat()
    user_rows = as_rows([{"user_id": user_id} for user_id in user_ids])
    for row in sql.rows(_RECENT, {"company": company_id, "w": user_rows, "first": first}):
        entries_by_user[row[0]].append(_entry(row))
    missing_rows = [{"user_id": user_id} for user_id in user_ids if user_id not in entries_by_user]
    for row in sql.rows(_LATEST, {"company": company_id, "w": as_rows(missing_rows)}) if missing_rows else ():
        entries_by_user[row[0]].append(_entry(row))
    for entries in entries_by_user.values():
        entries.sort(key=lambda entry: (entry.known_at, entry.id))
    return entries_by_user


def _entry(row: tuple[Any, ...]) -> Entry:
    """Builds an entry with only the attributes that `presence` needs; the others are None."""
    _, id_, day, start_ms, end_ms, net, flags = row
    start = None if start_ms is None else from_ms(start_ms)
    end = None if end_ms is None else from_ms(end_ms)
    dated = date.fromisoformat(day)
    words = tuple(flag_words(flags))
    return Entry(id_, dated, start, end, None, None, None, None, net, "clock", words, None, None, None, id_, dated)
