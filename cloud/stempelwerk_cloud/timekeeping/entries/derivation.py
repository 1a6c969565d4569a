"""Keeps entries true: derives just the affected people again, over just the affected stretch, in one transaction.

`refresh` is told who is affected and between which instants facts have come, gone or moved. It reads what stands
around, finds the stretch that stands on its own, derives it, and writes only the difference: an entry that did not
change is not touched, so its row and the log of the database stay as they are. With nothing changed nothing is written.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from stempelwerk_cloud.domain.entries import Sheet, derive
from stempelwerk_cloud.domain.islands import Span, reach_of, span_of, window
from stempelwerk_cloud.kit.db import from_ms, to_ms
from stempelwerk_cloud.timekeeping.corrections.service import Decisions, decisions_of
from stempelwerk_cloud.timekeeping.entries import repository
from stempelwerk_cloud.timekeeping.entries.numbers import numbers
from stempelwerk_cloud.timekeeping.entries.repository import EntriesWanted, StampsWanted, Standing
from stempelwerk_cloud.timekeeping.entries.roster import Roster
from stempelwerk_cloud.timekeeping.entries.rows import LAST_MS, EntryRow, StampRow, days_around, entry_row, stamp_of
from stempelwerk_cloud.timekeeping.entries.stretch import REACHES_MS, Known, Stretch, find
from stempelwerk_cloud.timekeeping.tx import Tx
from stempelwerk_cloud.timekeeping.words import DISCARDED, REASON, REVOKED_TAG, UNKNOWN_TAG, reason_number, waits

Change = tuple[int, int]
"""The first and the last instant (ms) at which a person's facts have changed."""
ALWAYS: Change = (0, LAST_MS)
_DAYS_AROUND = 4
_ALL_TIME = (0, LAST_MS)


@dataclass(slots=True)
class Person:
    """Somebody whose entries are derived again, with what has been read about them."""

    user_id: str
    no: int
    change: Change
    read: tuple[int | None, int | None] = (None, None)
    stamps: list[StampRow] = field(default_factory=list)
    entries: list[EntryRow] = field(default_factory=list)


@dataclass(slots=True)
class Difference:
    """What is to be written."""

    fresh: list[EntryRow] = field(default_factory=list)
    changed: list[EntryRow] = field(default_factory=list)
    gone: list[EntryRow] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    users: list[str] = field(default_factory=list)


def refresh(tx: Tx, roster: Roster, changes: Mapping[str, Change]) -> dict[str, int]:
    """Derives again; answers with the standing of every stamp in the stretches that were derived.

    The stamps are already as they are to be. Who changed lists of people and open pages is told.
    """
    if not changes:
        return {}
    repository.lock_people(tx, [person_key(user_id) for user_id in changes])
    roster.need_users(tx, changes)
    nos = numbers(tx, "person", roster.company_id, changes)
    waiting = [Person(user_id, nos[user_id], change) for user_id, change in sorted(changes.items())]
    difference = Difference()
    standings: dict[str, int] = {}
    for reach in REACHES_MS:
        _read(tx, roster, waiting, reach)
        waiting = [person for person in waiting if not _derive(tx, roster, person, difference, standings)]
        if not waiting:
            break
    write(tx, roster.company_id, difference)
    return standings


def compare(tx: Tx, roster: Roster, user_ids: Sequence[str]) -> Difference:
    """What would be written if everything of these people were derived anew."""
    roster.need_users(tx, user_ids)
    nos = numbers(tx, "person", roster.company_id, user_ids)
    people = [Person(user_id, nos[user_id], ALWAYS) for user_id in user_ids]
    _read(tx, roster, people, None)
    difference = Difference()
    for person in people:
        _derive(tx, roster, person, difference, {})
    return difference


def person_key(user_id: str) -> int:
    """The number of a person's lock."""
    return int.from_bytes(uuid.UUID(user_id).bytes[8:], signed=True)


def topic(company_id: str, user_id: str) -> str:
    """The live topic of a person's times."""
    return f"times:{company_id}:{user_id}"


def merge_change(changes: dict[str, Change], user_id: str, first_ms: int, last_ms: int) -> None:
    """Widens what has changed for a person."""
    known = changes.get(user_id)
    changes[user_id] = (first_ms, last_ms) if known is None else (min(known[0], first_ms), max(known[1], last_ms))


def stamps_between(
    tx: Tx, roster: Roster, user_id: str, low_ms: int | None = None, high_ms: int | None = None
) -> list[StampRow]:
    """A person's stamps, by true time: those of the tags they held, while they held them."""
    person = Person(user_id, 0, _ALL_TIME, (low_ms, high_ms))
    return sorted(row for _, row in repository.stamps(tx, roster.company_id, _stamps_wanted(tx, roster, [person])))


def _read(tx: Tx, roster: Roster, people: Sequence[Person], reach: int | None) -> None:
    for person in people:
        first, last = person.change
        person.read = (None, None) if reach is None else (first - reach, last + reach)
        person.stamps, person.entries = [], []
    for n, row in repository.stamps(tx, roster.company_id, _stamps_wanted(tx, roster, people)):
        people[n].stamps.append(row)
    wanted = [EntriesWanted(n, person.no, *days_around(*person.read, _DAYS_AROUND)) for n, person in enumerate(people)]
    for n, entry in repository.entries(tx, roster.company_id, wanted):
        people[n].entries.append(entry)
    for person in people:
        person.stamps.sort()
        person.entries.sort(key=attrgetter("known_ms", "id"))


def _stamps_wanted(tx: Tx, roster: Roster, people: Sequence[Person]) -> list[StampsWanted]:
    held = [(n, tag, one) for n, person in enumerate(people) for tag, one in roster.held_by(person.user_id)]
    nos = numbers(tx, "tag", roster.company_id, {tag for _, tag, _ in held})
    wanted = []
    for n, tag, holding in held:
        low, high = people[n].read
        low = max(holding.from_ms or 0, low or 0)
        high = min(LAST_MS if holding.until_ms is None else holding.until_ms - 1, LAST_MS if high is None else high)
        if low <= high:
            wanted.append(StampsWanted(n, nos[tag], low, high))
    return wanted


def _derive(tx: Tx, roster: Roster, person: Person, difference: Difference, standings: dict[str, int]) -> bool:
    """Derives one person's stretch and notes what differs; False if more must be read first."""
    counting = [row for row in person.stamps if not row.standing & DISCARDED]
    stretch = find(
        [row.at_ms for row in counting],
        [Known(entry.known_ms, entry.end_at) for entry in person.entries],
        person.change,
        person.read,
        roster.gaps,
    )
    decisions = Decisions()
    if person.user_id in roster.decided:
        decisions = decisions_of(tx.session, roster.company_id, person.user_id)
        if stretch is None or _touches(roster, decisions, stretch, counting):
            stretch, decisions = _wider(roster, decisions, counting, person)
        else:
            decisions = Decisions()
    if stretch is None:
        return False
    rows = counting[stretch.context : stretch.last]
    streams = repository.streams(tx, {row.stream_no for row in rows})
    stamps = [stamp_of(row, streams[row.stream_no]) for row in rows]
    sheet = derive(stamps, decisions.corrections, decisions.voids, roster.rules)
    device_nos = {facts.device_id: facts.device_no for facts in streams.values()}
    _compare_entries(roster, person, stretch, sheet, device_nos, difference)
    _compare_standings(counting[stretch.first : stretch.last], sheet, difference, standings)
    return True


def _touches(roster: Roster, decisions: Decisions, stretch: Stretch, counting: Sequence[StampRow]) -> bool:
    """Whether a decision may have to do with the stretch; a void also where a stamp that it names has moved to."""
    named = frozenset[str]().union(*(void.stamp_ids for void in decisions.voids))
    if any(row.id in named for row in counting[stretch.context : stretch.last]):
        return True
    idle = roster.gaps.idle_ms
    spans = _spans(roster, decisions) + [reach_of(void, (), roster.rules) for void in decisions.voids]
    return any(
        to_ms(span.start) - idle <= stretch.end_ms and stretch.start_ms <= to_ms(span.end) + idle for span in spans
    )


def _spans(roster: Roster, decisions: Decisions) -> list[Span]:
    return [span_of(correction, roster.rules) for correction in decisions.corrections]


def _wider(
    roster: Roster, decisions: Decisions, counting: Sequence[StampRow], person: Person
) -> tuple[Stretch | None, Decisions]:
    """The stretch where decisions are near: cut at idle gaps alone; with the corrections inside and all voids."""
    times = [from_ms(row.at_ms) for row in counting]
    low, high = person.read
    found = window(times, _spans(roster, decisions), from_ms(person.change[0]), from_ms(person.change[1]), roster.rules)
    start, end = to_ms(found.start), to_ms(found.end)
    if (low is not None and start - low <= roster.gaps.idle_ms) or (
        high is not None and high - end <= roster.gaps.idle_ms
    ):
        return None, decisions
    inside = [index for index, row in enumerate(counting) if start <= row.at_ms <= end]
    first, last = (inside[0], inside[-1] + 1) if inside else (0, 0)
    corrections = tuple(one for one in decisions.corrections if found.holds(span_of(one, roster.rules)))
    return Stretch(first, first, last, start, end), Decisions(corrections, decisions.voids)


def _compare_entries(
    roster: Roster,
    person: Person,
    stretch: Stretch,
    sheet: Sheet,
    device_nos: dict[str, int],
    difference: Difference,
) -> None:
    stood = {(row.date, row.id): row for row in person.entries if stretch.start_ms <= row.known_ms <= stretch.end_ms}
    differs = False
    for entry in sheet.entries:
        if to_ms(entry.known_at) < stretch.start_ms:  # of the context
            continue
        row = entry_row(person.no, entry, device_nos, roster.rules)
        before = stood.pop((row.date, row.id), None)
        if row == before:
            continue
        differs = True
        (difference.fresh if before is None else difference.changed).append(row)
    difference.gone += stood.values()
    if differs or stood:
        difference.users.append(person.user_id)


def _compare_standings(
    rows: Iterable[StampRow], sheet: Sheet, difference: Difference, standings: dict[str, int]
) -> None:
    for row in rows:
        reason = reason_number(sheet.uncounted.get(row.id))
        standing = row.standing & ~(REASON | UNKNOWN_TAG | REVOKED_TAG) | reason
        standings[row.id] = standing
        if standing != row.standing:
            difference.standings.append(Standing(row.tag_no, row.at_ms, row.id, standing, waits(standing)))


def write(tx: Tx, company_id: str, difference: Difference) -> None:
    """Writes what differs and tells who is concerned."""
    repository.write_entries(tx, company_id, difference.fresh, difference.changed, difference.gone)
    if difference.standings:
        repository.write_standings(tx, company_id, difference.standings)
    if difference.users:
        repository.note_change(tx, company_id, difference.users)
        for user_id in difference.users:
            tx.platform.live.publish(tx.session, topic(company_id, user_id), {"type": "times_update"})
