"""The clock's list of people as the cloud sent it, stored so that a restart without a network greets them too.

It holds names, tags and figures of one company, and forgets them at once when the clock no longer belongs to it.
`people.py` fetches the list; the cloud decides whose stamp it is.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from stempelwerk_edge.cloud.wire import PeopleChange, PersonRow, limits_member, read_limits
from stempelwerk_edge.machine.clock import from_ms, to_ms
from stempelwerk_edge.ports import ADULT, Connect, Report
from stempelwerk_edge.storage.side_store import SideStore, Statement
from stempelwerk_edge.tap.presence import CloudState
from stempelwerk_edge.tap.stamping import TagHolder

FILE_NAME = "people.db"
_VERSION = 4
_SCHEMA = (
    """CREATE TABLE people (user_id TEXT PRIMARY KEY, name TEXT NOT NULL, tags TEXT NOT NULL, state TEXT NOT NULL,
        since INTEGER, today_minutes INTEGER, week_minutes INTEGER, balance_minutes INTEGER, as_of TEXT NOT NULL,
        target_minutes INTEGER, open_handovers INTEGER, unread_messages INTEGER,
        steward INTEGER NOT NULL DEFAULT 0, limits TEXT)""",
    "CREATE TABLE fetched (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), revision TEXT, reflects INTEGER)",
)
_CHANGES = {
    1: (
        "ALTER TABLE people ADD COLUMN target_minutes INTEGER",
        "ALTER TABLE people ADD COLUMN open_handovers INTEGER",
        "ALTER TABLE people ADD COLUMN unread_messages INTEGER",
        # Asks again for the members that an earlier program ignored; until then its people are greeted.
        "UPDATE fetched SET revision = NULL",
    ),
    2: (
        "ALTER TABLE people ADD COLUMN steward INTEGER NOT NULL DEFAULT 0",
        "UPDATE fetched SET revision = NULL",
    ),
    3: (
        "ALTER TABLE people ADD COLUMN limits TEXT",
        "UPDATE fetched SET revision = NULL",
    ),
}
_COLUMNS = (
    "user_id, name, tags, state, since, today_minutes, week_minutes, balance_minutes, target_minutes,"
    " open_handovers, unread_messages, steward, limits, as_of"
)
_INSERT = f"INSERT OR REPLACE INTO people ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names


@dataclass(frozen=True, slots=True)
class _Entry:
    """A person and the local day of the figures."""

    person: PersonRow
    as_of: date


@dataclass(frozen=True, slots=True)
class _State:
    """The people and their indexes, replaced as a whole. `revision` None: the whole list must be fetched.

    `reflects`: the figures include this clock's stamps up to this row.
    """

    entries: dict[str, _Entry] = field(default_factory=dict)
    by_tag: dict[str, _Entry] = field(default_factory=dict)
    revision: str | None = None
    reflects: int = 0


class Snapshot:
    """The people. Reading is thread-safe; only the loops' thread changes them."""

    def __init__(self, directory: Path, connect: Connect, report: Report) -> None:
        self._store = SideStore(directory / FILE_NAME, _SCHEMA, _VERSION, connect, report, _CHANGES)
        self._state = _State()
        self._wipings = 0

    @property
    def informed(self) -> bool:
        """Whether the current cloud has sent any people since the last wiping."""
        return self._state.revision is not None

    @property
    def revision(self) -> str | None:
        """The revision after which the cloud is asked for changes; None: for the whole list."""
        return self._state.revision

    @property
    def wipings(self) -> int:
        """A count of wipings and requests for the whole list: the answer to a request before the last of them must be
        ignored.
        """
        return self._wipings

    def by_tag(self, tag: str) -> TagHolder | None:
        """Returns the person who holds a tag; None if the clock does not know the holder."""
        state = self._state
        entry = state.by_tag.get(tag)
        if entry is None:
            return None
        person = entry.person
        cloud_state = CloudState(
            person.state,
            person.since,
            person.today_minutes,
            person.balance_minutes,
            entry.as_of,
            state.reflects,
            person.open_handovers,
            person.unread_messages,
            person.limits,
        )
        return TagHolder(person.name, cloud_state)

    def tags_with(self, tag: str) -> frozenset[str]:
        """Returns all tags of the person who holds this one; just this one without a known holder."""
        entry = self._state.by_tag.get(tag)
        return frozenset({tag}) if entry is None else frozenset(entry.person.tags)

    def is_steward(self, tag: str) -> bool:
        """Returns whether an administrator of the company holds the tag, according to the people that the clock has."""
        entry = self._state.by_tag.get(tag)
        return entry is not None and entry.person.steward

    def load(self) -> None:
        """Loads the people from the disk. A spoilt file is discarded, and the cloud is asked for the people again."""
        try:
            self._load()
        except (ValueError, TypeError, OverflowError) as fault:
            self._store.discard(fault)

    def _load(self) -> None:
        fetched = self._store.read("SELECT revision, reflects FROM fetched")
        if not fetched:
            return
        entries = {}
        for row in self._store.read(f"SELECT {_COLUMNS} FROM people"):  # noqa: S608 - our own names
            user_id, name, tags, state, since_ms, *figures, steward, limits, as_of = row
            since_time = None if since_ms is None else from_ms(since_ms)
            person_limits = ADULT if limits is None else read_limits(json.loads(limits))
            person = PersonRow(
                user_id, name, tuple(json.loads(tags)), state, since_time, *(*figures, bool(steward), person_limits)
            )
            entries[user_id] = _Entry(person, date.fromisoformat(as_of))
        revision, reflects = fetched[0]
        self._state = _State(entries, _by_tag(entries.values()), revision, reflects)

    def apply(self, change: PeopleChange, reflects: int, today: date) -> None:
        """Applies a change. `reflects`: the cloud had this clock's stamps up to this row before it was asked.

        `today` is this clock's local day: the day of the figures if the cloud does not name it.
        """
        as_of = change.day or today
        entries = {} if change.reset else dict(self._state.entries)
        statements: list[Statement] = [("DELETE FROM people", ())] if change.reset else []
        for user_id in change.removed:
            entries.pop(user_id, None)
            statements.append(("DELETE FROM people WHERE user_id = ?", (user_id,)))
        for person in change.people:
            entries[person.user_id] = _Entry(person, as_of)
            statements.append(_insert(person, as_of))
        statements.append(("INSERT OR REPLACE INTO fetched VALUES (1, ?, ?)", (change.revision, reflects)))
        self._state = _State(entries, _by_tag(entries.values()), change.revision, reflects)
        self._store.write(statements)

    def request_all(self) -> None:
        """Keeps the people, but no revision to ask from: another server's revision means nothing to the current one."""
        self._wipings += 1
        self._state = replace(self._state, revision=None)
        self._store.write([("UPDATE fetched SET revision = NULL", ())])

    def wipe(self) -> None:
        """Deletes all people, in memory and on disk."""
        self._wipings += 1
        if not self.informed and not self._state.entries:
            return
        self._state = _State()
        if self._store.write([("DELETE FROM people", ()), ("DELETE FROM fetched", ())]):
            self._store.empty_log()

    def close(self) -> None:
        """Closes the file."""
        self._store.close()


def _by_tag(entries: Iterable[_Entry]) -> dict[str, _Entry]:
    return {tag: entry for entry in entries for tag in entry.person.tags}


def _insert(person: PersonRow, as_of: date) -> Statement:
    since_ms = None if person.since is None else to_ms(person.since)
    values = (
        person.user_id,
        person.name,
        json.dumps(person.tags),
        person.state,
        since_ms,
        person.today_minutes,
        person.week_minutes,
        person.balance_minutes,
        person.target_minutes,
        person.open_handovers,
        person.unread_messages,
        int(person.steward),
        None if person.limits == ADULT else json.dumps(limits_member(person.limits)),
        as_of.isoformat(),
    )
    return _INSERT, values
