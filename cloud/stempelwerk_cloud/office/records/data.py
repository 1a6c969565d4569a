"""A person's data as one file: a page to read, each table as JSON, and the files that are kept of them.

The tables of a few people are read together and handed to the process that packs them (`page.py`), each file in a
transaction of its own. The person gets all of it, an administrator the parts that `Part.reader` grants. Each note that
is given out is logged.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

import structlog
from msgspec.structs import astuple
from sqlalchemy import ColumnElement, CompoundSelect, Select, Table, func, literal, select, union_all
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.files.checking import ENDINGS
from stempelwerk_cloud.kit.files.packing.frames import File, Rows, encoded, plain
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.records import actions, page, parts
from stempelwerk_cloud.office.records.parts import COMPANY, PARTS, PERSON, Part, shown_columns, table_of
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.service import sessions
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import working
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.service import EntryValue
from stempelwerk_cloud.timekeeping.stamps import service as stamps
from stempelwerk_cloud.timekeeping.stamps.service import OwnStamp

log = structlog.get_logger(__name__)

PACKS = page.__name__
"""The module that packs what `steps` reads."""
_EVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_AT_ONCE = 500
_OWN = "gehört der Person allein"
_NOTES, _STATEMENTS = "absences", "statements"
"""The tables that have files."""
Row = tuple[str, Sequence[Any]]
"""The id of the person whose row it is, and the values of its columns."""


class Person(NamedTuple):
    """The person whose file is made, the page's title, and the caller. `modules`: the company's; None: the caller is
    the person, who gets all. `folder`: where the file lies in an archive."""

    company_id: str
    user_id: str
    username: str
    whose: str
    caller: Caller
    modules: frozenset[str] | None
    folder: str = ""

    @classmethod
    def of(cls, user: User, company: str, caller: Caller, modules: Iterable[str]) -> "Person":
        """The file of that person, for that caller."""
        own = None if caller.user_id == user.id else frozenset(modules)
        return cls(user.company_id, user.id, user.username, f"{user.username}, {company}", caller, own)

    def gets(self, reader: str) -> bool:
        """Returns whether the caller gets what that reader gets (`Part.reader`)."""
        return self.modules is None or reader == COMPANY or reader in self.modules

    @property
    def left_out(self) -> Iterator[tuple[str, str]]:
        """Titles of the missing parts, each with the reason."""
        for part in PARTS:
            if part.left_out is not None:
                yield part.title, part.left_out
            elif not self.gets(part.reader):
                yield part.title, _OWN if part.reader == PERSON else switched_off(part.reader)


def switched_off(module: str) -> str:
    """Returns why something of a module is missing that the company does not have."""
    label = next(feature.label for feature in directory.FEATURES if feature.key == module)
    return f"gehört zum Modul „{label}“, das ausgeschaltet ist"


def begin(platform: Platform, caller: Caller, user_id: str) -> Person:
    """The person, also one who was deleted; that their data were taken stands in the log. 404."""
    company_id = caller.subject_company_id
    with working(platform, scope_of(caller), caller) as work:
        person = work.session.get(User, (company_id, user_id))
        if person is None:
            raise not_found()
        name = work.company(company_id).name
        work.audit(company_id, actions.TAKEN, user_id)
        sessions.keep(work.session, caller)
        return Person.of(person, name, caller, directory.feature_keys(work.session, company_id))


def steps(platform: Platform, people: Sequence[Person]) -> Iterator[list[bytes]]:
    """Yields the frames of people's data, to be packed into their folders: a person at a time, files apart.

    All are of one company and for one caller. Their tables are in memory at once, so many people go in batches.
    """
    first, now = people[0], platform.clock.now()
    with platform.database.read(scope_of(first.caller)) as session:
        zone = directory.zone_of(session, first.company_id, now)
        reading = _Reading(session, people, now)
        tables = [reading.table(part) for part in PARTS if part.left_out is None and first.gets(part.reader)]
        files = _files(session, platform, people)
    for person in people:
        begun = encoded(page.Begin(person.folder, person.whose, now, zone.key))
        yield [begun, *chain.from_iterable(table.pop(person.user_id) for table in tables)]
        for file in files[person.user_id]:
            content = file.read()
            if content is not None:
                yield [encoded(File(file.name, content))]
        yield [encoded(page.Left(list(person.left_out)))]


class _Reading:
    """Reads the tables about people, each with one statement for all of them."""

    def __init__(self, session: Session, people: Sequence[Person], now: datetime) -> None:
        self._session, self._now = session, now
        self._company_id, self._gets = people[0].company_id, people[0].gets
        self._user_ids = [person.user_id for person in people]
        self._names: dict[str | None, str] = {}

    def table(self, part: Part) -> dict[str, list[bytes]]:
        """Returns, by person, the frames of a table and its rows."""
        columns, found = self._rows(part)
        begun = encoded(page.Table(part.table, part.title, columns))
        frames = {user_id: [begun] for user_id in self._user_ids}
        for user_id, own in groupby(found, itemgetter(0)):
            while rows := [plain(row) for _, row in islice(own, _AT_ONCE)]:
                frames[user_id].append(encoded(Rows(rows)))
        return frames

    def _rows(self, part: Part) -> tuple[list[str], Iterator[Row]]:
        """The names of the columns, and the rows, those of a person together and in order."""
        people = self._session, self._company_id, self._user_ids
        match part.table:
            case "entries":
                whole = entries.of_people(*people, date.min, date.max, self._now)
                return list(EntryValue.__struct_fields__), ((one.user_id, astuple(one)) for one in whole)
            case "stamps":
                own = stamps.stamps_of(*people, *_EVER)
                return list(OwnStamp._fields), ((user_id, one) for user_id, every in own.items() for one in every)
            case "audit_entries":
                return self._decisions(part)
            case _:
                table = table_of(part.table)
                shown = select(*shown_columns(table, self._gets))
                return self._named(lambda user_id: shown.where(part.rows(self._company_id, user_id)), table.primary_key)

    def _named(
        self, asked: Callable[[str], Select[Any]], order: Iterable[ColumnElement[Any]]
    ) -> tuple[list[str], Iterator[Row]]:
        """The columns and rows of what is asked about each person. People have names in them in the place of ids."""
        keys = {f"order_{place}": column for place, column in enumerate(order)}
        sorted_by = [column.label(key) for key, column in keys.items()]
        each = [
            asked(user_id).add_columns(*sorted_by, literal(number).label("person"))
            for number, user_id in enumerate(self._user_ids)
        ]
        columns = each[0].selected_columns.keys()[: -len(keys) - 1]
        whole = union_all(*each).order_by("person", *keys)
        return columns, self._streamed(whole, columns)

    def _streamed(self, whole: CompoundSelect[Any], columns: Sequence[str]) -> Iterator[Row]:
        names = [place for place, column in enumerate(columns) if column in parts.NAMES]
        with self._session.execute(whole, execution_options={"yield_per": _AT_ONCE}) as found:
            for some in found.partitions():
                self._learn(row[place] for row in some for place in names)
                for row in some:
                    values = list(row[: len(columns)])
                    for place in names:
                        values[place] = self._names.get(values[place])
                    yield self._user_ids[row.person], values

    def _learn(self, user_ids: Iterable[str | None]) -> None:
        unknown = {one for one in user_ids if one is not None} - self._names.keys()
        self._names |= directory.deciders_of(self._session, self._company_id, unknown)

    def _decisions(self, part: Part) -> tuple[list[str], Iterator[Row]]:
        """Returns the log entries about the people, and the times of their own decisions without other subjects."""
        table = table_of(part.table)
        shown = select(table.c.id, table.c.at, table.c.actor, table.c.action, table.c.before, table.c.after)
        if not self._gets(parts.COSTS):
            shown = shown.where(table.c.action.not_like("compensation.%"))

        def asked(user_id: str) -> Select[Any]:
            about = part.rows(self._company_id, user_id)
            deeds = (table.c.company_id == self._company_id) & (table.c.actor == user_id)
            return shown.add_columns(about.label("about")).where(about | deeds)

        (*columns, _), found = self._named(asked, [table.c.no])
        return columns, self._with_words(found)

    def _with_words(self, found: Iterator[Row]) -> Iterator[Row]:
        """Rows of the log with their words."""
        known = self._words()
        for user_id, (*row, before, after, is_about) in found:
            sides = (None if side is None or not is_about else json.loads(side) for side in (before, after))
            yield user_id, [*row, *(_spoken(side, known[user_id]) for side in sides)]

    def _words(self) -> Mapping[str, Mapping[str, str]]:
        """Returns the words of the log about the people, by person and id."""
        words = table_of("audit_words")
        own = select(words.c.about, words.c.id, words.c.word).where(
            words.c.company_id == self._company_id, words.c.about.in_(self._user_ids)
        )
        found: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for about, id_, word in self._session.execute(own):
            found[about][id_] = word
        return found


class _File(NamedTuple):
    """A file of the archive. `read` returns None for a file that is gone or does not open."""

    name: str
    read: Callable[[], bytes | None]


def _files(session: Session, platform: Platform, people: Sequence[Person]) -> Mapping[str, list[_File]]:
    """Returns the notes and signed statements of each person, if the caller gets their tables."""
    readers = {part.table: part.reader for part in PARTS}
    by_id = {person.user_id: person for person in people}
    files: defaultdict[str, list[_File]] = defaultdict(list)
    for table, found in ((_NOTES, _notes), (_STATEMENTS, _statements)):
        if people[0].gets(readers[table]):
            for user_id, file in found(session, platform, by_id):
                files[user_id].append(file)
    return files


def _own(table: Table, people: Mapping[str, Person]) -> ColumnElement[bool]:
    """The rows of these people."""
    company_id = next(iter(people.values())).company_id
    return (table.c.company_id == company_id) & table.c.user_id.in_(people)


def _notes(session: Session, platform: Platform, people: Mapping[str, Person]) -> Iterator[tuple[str, _File]]:
    noted = table_of(_NOTES)
    first = func.min(noted.c.date)
    days = select(noted.c.user_id, noted.c.file_id, first).where(_own(noted, people), noted.c.file_id.is_not(None))
    notes = session.execute(days.group_by(noted.c.user_id, noted.c.file_id).order_by(noted.c.user_id, first)).all()
    company_id = next(iter(people.values())).company_id
    types = store.media_types(session, company_id, [file_id for _, file_id, _ in notes])
    for user_id, own in groupby(notes, itemgetter(0)):
        for number, (_, file_id, day) in enumerate(own, 1):
            if file_id in types:
                name = f"dateien/krankmeldung-{day.isoformat()}-{number}.{ENDINGS[types[file_id]]}"
                yield user_id, _File(name, partial(_note, platform, people[user_id], file_id))


def _note(platform: Platform, person: Person, file_id: str) -> bytes | None:
    """Returns the note's content and logs that it was read."""
    with working(platform, scope_of(person.caller), person.caller) as work:
        work.company(person.company_id)
        try:
            content, _ = store.read(work.session, platform, person.company_id, file_id)
        except (store.NoSuchFile, store.Unreadable) as error:
            log.error("sick_note_unreadable", file_id=file_id, exc_info=error)
            return None
        absences.log_reading(work, person.company_id, file_id)
        sessions.keep(work.session, person.caller)
    return content


def _statements(session: Session, platform: Platform, people: Mapping[str, Person]) -> Iterator[tuple[str, _File]]:
    signed = table_of(_STATEMENTS)
    months = select(signed.c.user_id, signed.c.id, signed.c.month).where(_own(signed, people))
    statements = session.execute(months.order_by(signed.c.user_id, signed.c.id)).all()
    for user_id, own in groupby(statements, itemgetter(0)):
        for number, (_, id_, month) in enumerate(own, 1):
            name = f"zeitnachweise/zeitnachweis-{month}-{number}.json"
            yield user_id, _File(name, partial(_statement, platform, people[user_id], id_))


def _statement(platform: Platform, person: Person, id_: str) -> bytes | None:
    signed = table_of(_STATEMENTS)
    own = (signed.c.company_id == person.company_id) & (signed.c.user_id == person.user_id)
    with platform.database.read(scope_of(person.caller)) as session:
        found: bytes | None = session.scalar(select(signed.c.content).where(own, signed.c.id == id_))
        return found


def _spoken(value: Any, known: Mapping[str, str]) -> Any:
    """A value of the log with the person's own words in it; those about others, and erased ones, are null."""
    if isinstance(value, dict):
        if value.keys() == {"word"}:
            return known.get(value["word"])
        return {name: _spoken(member, known) for name, member in value.items()}
    return [_spoken(member, known) for member in value] if isinstance(value, list) else value
