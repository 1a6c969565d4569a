"""Derivation of entries after a change of facts: only of the affected people, over only the affected stretch of time.

The caller names the affected people, and for each the first and last instant of the changed facts. The derivation reads
the stamps and entries around them and finds the stretch that is independent of the rest. It derives that stretch and
writes only the differences: unchanged rows are not touched, so the database's log stays small.

`refresh` does all of that. The intake of a batch calls the steps itself, because it reads and writes together with
other things: `affected`, `plan_reads`, `take`, `derive_people`, `write`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from stempelwerk_cloud.domain.entries.derivation import Sheet, derive
from stempelwerk_cloud.domain.entries.islands import Span, reach_of, span_of, window
from stempelwerk_cloud.domain.instants import DAY, from_ms, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit.database.statements import RowBuffer
from stempelwerk_cloud.kit.events import ENTRIES_MOVED
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN
from stempelwerk_cloud.timekeeping.ledger.decisions import Decisions, decisions_of
from stempelwerk_cloud.timekeeping.ledger.deriving import queries
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import StatusChange
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import (
    FIRST_MS,
    LAST_MS,
    EntriesWanted,
    EntryRow,
    StampRow,
    StampsWanted,
    days_around,
    entry_row,
    numbers,
    stamp_of,
)
from stempelwerk_cloud.timekeeping.ledger.deriving.stretch import REACHES_MS, Known, Stretch, find
from stempelwerk_cloud.timekeeping.status_bits import DISCARDED, REASON, REVOKED_TAG, UNKNOWN_TAG, reason_number, waits
from stempelwerk_cloud.timekeeping.tx import Tx

Change = tuple[int, int]
"""The first and the last instant (ms) of the changes to a person's facts."""
ALWAYS: Change = (FIRST_MS, LAST_MS)
_in_order = attrgetter("known_ms", "id")


@dataclass(slots=True)
class Person:
    """A person whose entries are derived again, with the rows that have been read.

    `pending` are new stamps that are not yet written. `read` are the first and last instant (ms) of what was read;
    None: no bound.
    """

    user_id: str
    no: int
    change: Change
    read: tuple[int | None, int | None] = (None, None)
    pending: list[StampRow] = field(default_factory=list)
    stamps: list[StampRow] = field(default_factory=list)
    entries: list[EntryRow] = field(default_factory=list)


@dataclass(slots=True)
class Difference:
    """The rows to write, and the status of every stamp in the derived stretches. `users`: the first changed day (ISO)
    of each person with changes.
    """

    fresh: list[EntryRow] = field(default_factory=list)
    changed: list[EntryRow] = field(default_factory=list)
    removed: list[EntryRow] = field(default_factory=list)
    status_changes: list[StatusChange] = field(default_factory=list)
    users: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)


def refresh(tx: Tx, inputs: DerivationInputs, changes: Mapping[str, Change]) -> dict[str, int]:
    """Derives the entries around these changes again and writes the differences.

    Returns the status of every stamp in the derived stretches, by id. The stamps must already be in their new state,
    and the transaction must hold the exclusive lock on the company's rules. Notifies clocks' lists of people and open
    pages.
    """
    if not changes:
        return {}
    people = affected(tx, inputs, changes)
    read(tx, inputs, people, REACHES_MS[0])
    difference = derive_people(tx, inputs, people)
    writing = RowBuffer()
    write(tx, writing, inputs.company_id, difference)
    writing.flush(tx.sql)
    return difference.statuses


def compare(tx: Tx, inputs: DerivationInputs, user_ids: Sequence[str]) -> Difference:
    """Returns what would be written if all entries of these people were derived again."""
    people = affected(tx, inputs, dict.fromkeys(user_ids, ALWAYS))
    read(tx, inputs, people, None)
    return derive_people(tx, inputs, people)


def affected(tx: Tx, inputs: DerivationInputs, changes: Mapping[str, Change]) -> list[Person]:
    """Returns a `Person` for each changed person, in the order of their ids."""
    inputs.need_users(tx, changes)
    nos = numbers(tx, "person", inputs.company_id, changes)
    return [Person(user_id, nos[user_id], changes[user_id]) for user_id in sorted(changes)]


def plan_reads(
    tx: Tx, inputs: DerivationInputs, people: Sequence[Person], reach: int | None, first: int = 0
) -> tuple[list[StampsWanted], list[EntriesWanted]]:
    """Returns the stamps and entries to read around these people's changes, up to `reach` ms away; None: all of them.

    The people are numbered from `first` on.
    """
    company_id = inputs.company_id
    person_tags = [
        (n, tag, holding) for n, person in enumerate(people) for tag, holding in inputs.held_by(person.user_id)
    ]
    nos = numbers(tx, "tag", company_id, {tag for _, tag, _ in person_tags})
    entries = []
    for person in people:
        earliest, latest = person.change
        low, high = (None, None) if reach is None else (earliest - reach, latest + reach)
        person.read = (low, high)
        entries.append(EntriesWanted(company_id, person.no, *days_around(low, high)))
    stamps = []
    for n, tag, holding in person_tags:
        low, high = people[n].read
        low = max(FIRST_MS if holding.from_ms is None else holding.from_ms, FIRST_MS if low is None else low)
        high = min(LAST_MS if holding.until_ms is None else holding.until_ms - 1, LAST_MS if high is None else high)
        if low <= high:
            stamps.append(StampsWanted(first + n, company_id, nos[tag], low, high))
    return stamps, entries


def take(people: Sequence[Person], stamps: Iterable[StampRow], entries: Iterable[EntryRow], first: int = 0) -> None:
    """Assigns the rows that were read to the people they belong to, and sorts them. `first` as in `plan_reads`."""
    by_no = {person.no: person for person in people}
    for person in people:
        person.stamps, person.entries = list(person.pending), []
    for row in stamps:
        people[row.n - first].stamps.append(row)
    for entry in entries:
        by_no[entry.person_no].entries.append(entry)
    for person in people:
        person.stamps.sort()
        person.entries.sort(key=_in_order)


def derive_people(tx: Tx, inputs: DerivationInputs, people: Sequence[Person]) -> Difference:
    """Derives people whose rows have been read; reads more for a person whose independent stretch extends
    beyond them.
    """
    difference = Difference()
    waiting = [person for person in people if not _derive(tx, inputs, person, difference)]
    for reach in REACHES_MS[1:]:
        if not waiting:
            break
        read(tx, inputs, waiting, reach)
        waiting = [person for person in waiting if not _derive(tx, inputs, person, difference)]
    return difference


def write(tx: Tx, writing: RowBuffer, company_id: str, difference: Difference) -> None:
    """Adds the difference to `writing`, and notifies clocks, time accounts and open pages of the changed people."""
    queries.write_entries(writing, company_id, difference.fresh, difference.changed, difference.removed)
    queries.write_statuses(writing, company_id, difference.status_changes)
    if difference.users:
        queries.note_change(tx, writing, company_id, list(difference.users))
        month = (from_ms(tx.now_ms) + DAY).date().replace(day=1).isoformat()  # in the zone where it is latest
        ended = {user_id: day for user_id, day in difference.users.items() if day < month}
        if ended:
            tx.platform.signals.emit(tx, ENTRIES_MOVED, company_id=company_id, since=ended, writing=writing)
        topics = [*(topic(company_id, user_id) for user_id in difference.users), topic(company_id)]
        tx.platform.live.publish(tx.session, topics, {"type": "times_update"})


def topic(company_id: str, user_id: str | None = None) -> str:
    """Returns the live topic of a person's times, or of all times of a company for its administrators."""
    return f"times:{company_id}" if user_id is None else f"times:{company_id}:{user_id}"


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the live topics of the caller: their own times, and for a company administrator all times of
    the company.
    """
    everybody = [topic(hearer.company_id)] if hearer.role == COMPANY_ADMIN else []
    return [topic(hearer.company_id, hearer.user_id), *everybody]


def merge_change(changes: dict[str, Change], user_id: str, first_ms: int, last_ms: int) -> None:
    """Widens the changed span of a person."""
    span = changes.get(user_id)
    changes[user_id] = (first_ms, last_ms) if span is None else (min(span[0], first_ms), max(span[1], last_ms))


def stamps_of(tx: Tx, inputs: DerivationInputs, user_id: str) -> list[StampRow]:
    """Returns all stamps of a person by true time. A stamp is theirs if they held its tag at that time."""
    people = affected(tx, inputs, {user_id: ALWAYS})
    read(tx, inputs, people, None)
    return people[0].stamps


def read(tx: Tx, inputs: DerivationInputs, people: Sequence[Person], reach: int | None) -> None:
    """Reads the rows of people within `reach` ms around their changes; None: all rows."""
    take(people, *queries.read(tx.sql, *plan_reads(tx, inputs, people, reach)))


def _derive(tx: Tx, inputs: DerivationInputs, person: Person, difference: Difference) -> bool:
    """Derives one person's stretch and records the difference; False if more must be read first."""
    counting = [row for row in person.stamps if not row.status & DISCARDED]
    stretch = find(
        [row.at_ms for row in counting],
        [Known(entry.known_ms, entry.end_at) for entry in person.entries],
        person.change,
        person.read,
        inputs.gaps_for(person.user_id),
    )
    decisions = Decisions()
    if person.user_id in inputs.decided:
        decisions = decisions_of(tx.session, inputs.company_id, person.user_id)
        if stretch is None or _touches(inputs, person.user_id, decisions, stretch, counting):
            stretch, decisions = wider(inputs, decisions, counting, person)
        else:
            decisions = Decisions()
    if stretch is None:
        return False
    rows = counting[stretch.first : stretch.last]
    streams = queries.streams(tx, {row.stream_no for row in rows})
    stamps = [stamp_of(row, streams[row.stream_no]) for row in rows]
    rested = None if stretch.rested_ms is None else from_ms(stretch.rested_ms)
    sheet = derive(stamps, decisions.corrections, decisions.voids, inputs.rules_for(person.user_id), rested)
    device_nos = {facts.device_id: facts.device_no for facts in streams.values()}
    _compare_entries(inputs, person, stretch, sheet, device_nos, difference)
    _compare_standings(person, rows, sheet, difference)
    return True


def _touches(
    inputs: DerivationInputs, user_id: str, decisions: Decisions, stretch: Stretch, counting: Sequence[StampRow]
) -> bool:
    """Whether a decision may affect the stretch, by its time or because a stamp that a void names has moved into the
    stretch.
    """
    void_stamp_ids = frozenset[str]().union(*(void.stamp_ids for void in decisions.voids))
    if any(row.id in void_stamp_ids for row in counting[stretch.first : stretch.last]):
        return True
    idle, rules = inputs.gaps_for(user_id).idle_ms, inputs.rules_for(user_id)
    spans = _spans(rules, decisions) + [reach_of(void, (), rules) for void in decisions.voids]
    return any(
        ms_of(span.start) - idle <= stretch.end_ms and stretch.start_ms <= ms_of(span.end) + idle for span in spans
    )


def _spans(rules: DatedRules, decisions: Decisions) -> list[Span]:
    return [span_of(correction, rules) for correction in decisions.corrections]


def wider(
    inputs: DerivationInputs, decisions: Decisions, counting: Sequence[StampRow], person: Person
) -> tuple[Stretch | None, Decisions]:
    """Returns the stretch around a change near decisions, with the decisions that apply to it.

    It is cut only at idle gaps. The decisions are the corrections inside it and all voids. The stretch is None if more
    must be read.
    """
    rules, idle = inputs.rules_for(person.user_id), inputs.gaps_for(person.user_id).idle_ms
    times = [from_ms(row.at_ms) for row in counting]
    low, high = person.read
    decision_window = window(
        times, _spans(rules, decisions), from_ms(person.change[0]), from_ms(person.change[1]), rules
    )
    start, end = ms_of(decision_window.start), ms_of(decision_window.end)
    if (low is not None and start - low <= idle) or (high is not None and high - end <= idle):
        return None, decisions
    inside = [index for index, row in enumerate(counting) if start <= row.at_ms <= end]
    first, last = (inside[0], inside[-1] + 1) if inside else (0, 0)
    corrections = tuple(
        correction for correction in decisions.corrections if decision_window.holds(span_of(correction, rules))
    )
    return Stretch(first, last, start, end, None), Decisions(corrections, decisions.voids)


def _compare_entries(
    inputs: DerivationInputs,
    person: Person,
    stretch: Stretch,
    sheet: Sheet,
    device_nos: dict[str, int],
    difference: Difference,
) -> None:
    stored = {(row.date, row.id): row for row in person.entries if stretch.start_ms <= row.known_ms <= stretch.end_ms}
    days = []
    for entry in sheet.entries:
        row = entry_row(person.no, entry, device_nos, inputs.rules, inputs.swept_to)
        stored_row = stored.pop((row.date, row.id), None)
        if row == stored_row:
            continue
        days.append(row.date)
        (difference.fresh if stored_row is None else difference.changed).append(row)
    difference.removed += stored.values()
    days += [row.date for row in stored.values()]
    if days:
        difference.users[person.user_id] = min(days)


def _compare_standings(person: Person, rows: Iterable[StampRow], sheet: Sheet, difference: Difference) -> None:
    pending = {row.id for row in person.pending}
    for row in rows:
        reason = reason_number(sheet.uncounted.get(row.id))
        status = row.status & ~(REASON | UNKNOWN_TAG | REVOKED_TAG) | reason
        difference.statuses[row.id] = status
        if status != row.status and row.id not in pending:
            difference.status_changes.append(StatusChange(row.tag_no, row.at_ms, row.id, status, waits(status)))
