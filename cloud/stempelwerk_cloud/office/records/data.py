"""A person's data as one archive: a page to read, each table as JSON, and the stored files about the person.

The tables of a few people are read together and handed to the process that packs them (`page.py`); each file is read in
a transaction of its own. The person gets all of it, an administrator the parts that `Part.reader` grants. Each sick
note in it is recorded as read in the audit log.
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
from sqlalchemy import Column, ColumnElement, CompoundSelect, Select, Table, func, literal, select, union_all
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.columns import table_of
from stempelwerk_cloud.kit.database.described import COMPANY, PERSON, Part, column_description, columns_in_file, parts
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.files.checking import ENDINGS
from stempelwerk_cloud.kit.files.packing.frames import File, Rows, encoded, plain
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.records import page, words
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import feature_keys, zone_of
from stempelwerk_cloud.people.directory.people import deciders_of
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.words import FEATURES
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_cloud.planning.absences.sick_notes.notes import log_reading
from stempelwerk_cloud.timekeeping.times.reading.own import of_people as stamps_of
from stempelwerk_cloud.timekeeping.times.reading.values import of_people

log = structlog.get_logger(__name__)

TAKEN = Action("records.taken")
PACKS = page.__name__
"""The name of the module that packs the frames of `steps`."""
_EVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_AT_ONCE = 500
_OWN = "gehört der Person allein"
_NOTES, _STATEMENTS = "absences", "statements"
"""The tables that have files: sick notes and signed statements."""
_COSTS = "costs"
"""The module that people's pay belongs to, also in the audit log."""
Row = tuple[str, Sequence[Any]]
"""The id of the person that the row is about, and the values of its columns."""


class Person(NamedTuple):
    """A person whose data are packed, for one caller. `heading`: the title of the page. `folder`: the place in an
    archive.

    `modules`: the company's modules; None: the caller is the person, who gets all parts.
    """

    company_id: str
    user_id: str
    username: str
    heading: str
    caller: Caller
    modules: frozenset[str] | None
    folder: str = ""

    @classmethod
    def for_user(cls, user: User, company: str, caller: Caller, modules: Iterable[str]) -> "Person":
        """Returns the `Person` of a user for that caller."""
        visible_modules = None if caller.user_id == user.id else frozenset(modules)
        return cls(user.company_id, user.id, user.username, f"{user.username}, {company}", caller, visible_modules)

    def gets(self, reader: str) -> bool:
        """Whether the caller gets the parts of this reader (`Part.reader`)."""
        return self.modules is None or reader == COMPANY or reader in self.modules

    @property
    def left_out(self) -> Iterator[tuple[str, str]]:
        """The German titles of the missing parts, each with the reason."""
        for part in parts():
            if part.left_out is not None:
                yield part.title, part.left_out
            elif not self.gets(part.reader):
                yield part.title, _OWN if part.reader == PERSON else switched_off(part.reader)


def switched_off(module: str) -> str:
    """Returns the German reason why data of a module are missing: the company does not have the module."""
    label = next(feature.label for feature in FEATURES if feature.key == module)
    return f"gehört zum Modul „{label}“, das ausgeschaltet ist"


def begin(platform: Platform, caller: Caller, user_id: str) -> Person:
    """Returns the person, deleted or not, and records in the audit log that their data were read. 404 for an unknown
    person.
    """
    company_id = caller.subject_company_id
    with unit_of_work(platform, scope_of(caller), caller) as work:
        person = work.session.get(User, (company_id, user_id))
        if person is None:
            raise not_found()
        name = work.company(company_id).name
        work.audit(company_id, TAKEN, user_id)
        sessions.recheck_session(work.session, caller)
        return Person.for_user(person, name, caller, feature_keys(work.session, company_id))


def steps(platform: Platform, people: Sequence[Person]) -> Iterator[list[bytes]]:
    """Yields the frames of people's data for their folders: the tables of one person in a step, and each file in a
    step.

    All people are of one company and for one caller. Their tables are in memory at once, so a caller reads large groups
    in batches.
    """
    first, now = people[0], platform.clock.now()
    with platform.database.read(scope_of(first.caller)) as session:
        zone = zone_of(session, first.company_id, now)
        reading = _Reading(session, people, now)
        tables = [reading.table(part) for part in parts() if part.left_out is None and first.gets(part.reader)]
        files = _files(session, platform, people)
    for person in people:
        begun = encoded(page.Begin(person.folder, person.heading, now, zone.key))
        yield [begun, *chain.from_iterable(table.pop(person.user_id) for table in tables)]
        for file in files[person.user_id]:
            content = file.read()
            if content is not None:
                yield [encoded(File(file.name, content))]
        yield [encoded(page.Left(list(person.left_out)))]


class _Reading:
    """A reader of the tables about people: one statement for each table and all people."""

    def __init__(self, session: Session, people: Sequence[Person], now: datetime) -> None:
        self._session, self._now = session, now
        self._company_id, self._gets = people[0].company_id, people[0].gets
        self._user_ids = [person.user_id for person in people]
        self._names: dict[str | None, str] = {}

    def table(self, part: Part) -> dict[str, list[bytes]]:
        """Returns, by user id, the frames of a table: its head, and its rows."""
        columns, all_rows = self._rows(part)
        begun = encoded(page.Table(str(part.table.name), part.title, list(columns)))
        frames = {user_id: [begun] for user_id in self._user_ids}
        for user_id, person_rows in groupby(all_rows, itemgetter(0)):
            while rows := [plain(row) for _, row in islice(person_rows, _AT_ONCE)]:
                frames[user_id].append(encoded(Rows(rows)))
        return frames

    def _rows(self, part: Part) -> tuple[Sequence[page.Column], Iterator[Row]]:
        """Returns a table's columns, and its rows in order, grouped by person."""
        people = self._session, self._company_id, self._user_ids
        match part.table.name:
            case "entries":
                entry_values = of_people(*people, date.min, date.max, self._now)
                return words.ENTRY_COLUMNS, ((entry.user_id, astuple(entry)) for entry in entry_values)
            case "stamps":
                stamps_by_person = stamps_of(*people, *_EVER)
                return words.STAMP_COLUMNS, (
                    (user_id, stamp) for user_id, person_stamps in stamps_by_person.items() for stamp in person_stamps
                )
            case "audit_entries":
                read = self._decisions
            case _:
                read = self._plain_rows
        columns = columns_in_file(part.table, self._gets)
        return [_page_column(column) for column in columns], read(part, columns)

    def _plain_rows(self, part: Part, columns: Sequence[Column[Any]]) -> Iterator[Row]:
        query = select(*columns)
        return self._query_people(part, columns, lambda user_id: query.where(part.rows(self._company_id, user_id)))

    def _query_people(
        self, part: Part, columns: Sequence[Column[Any]], query_for: Callable[[str], Select[Any]]
    ) -> Iterator[Row]:
        """Returns the rows of a query of these columns, and more after them, that is made for each person. Other people
        have usernames, not ids.
        """
        keys = {f"order_{place}": column for place, column in enumerate(part.table.primary_key)}
        sorted_by = [column.label(key) for key, column in keys.items()]
        each = [
            query_for(user_id).add_columns(*sorted_by, literal(number).label("person"))
            for number, user_id in enumerate(self._user_ids)
        ]
        names = [
            place for place, column in enumerate(columns) if column_description(column).person in {"party", "actor"}
        ]
        return self._streamed(union_all(*each).order_by("person", *keys), names, len(keys) + 1)

    def _streamed(self, union: CompoundSelect[Any], names: Sequence[int], surplus: int) -> Iterator[Row]:
        """Yields the rows without their last `surplus` columns, and with usernames at the places `names`."""
        with self._session.execute(union, execution_options={"yield_per": _AT_ONCE}) as cursor:
            for some in cursor.partitions():
                self._learn(row[place] for row in some for place in names)
                for row in some:
                    values = list(row[:-surplus])
                    for place in names:
                        values[place] = self._names.get(values[place])
                    yield self._user_ids[row.person], values

    def _learn(self, user_ids: Iterable[str | None]) -> None:
        unknown = {user_id for user_id in user_ids if user_id is not None} - self._names.keys()
        self._names |= deciders_of(self._session, self._company_id, unknown)

    def _decisions(self, part: Part, columns: Sequence[Column[Any]]) -> Iterator[Row]:
        """Returns the audit entries about the people, and the times of their own actions without the values about other
        people.
        """
        table, query = part.table, select(*columns)
        if not self._gets(_COSTS):
            query = query.where(table.c.action.not_like("compensation.%"))

        def query_for(user_id: str) -> Select[Any]:
            is_about = part.rows(self._company_id, user_id)
            deeds = (table.c.company_id == self._company_id) & (table.c.actor == user_id)
            return query.add_columns(is_about.label("about")).where(is_about | deeds)

        return self._with_words(self._query_people(part, columns, query_for))

    def _with_words(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Yields rows of the audit log with their references resolved to the person's words."""
        words_by_person = self._words()
        for user_id, (*row, old_values, new_values, is_about) in rows:
            sides = (None if side is None or not is_about else json.loads(side) for side in (old_values, new_values))
            yield user_id, [*row, *(_resolve_words(side, words_by_person[user_id]) for side in sides)]

    def _words(self) -> Mapping[str, Mapping[str, str]]:
        """Returns the erasable words of the audit log about the people, by user id and id of the word."""
        erasable = table_of("audit_words")
        query = select(erasable.c.about, erasable.c.id, erasable.c.word).where(
            erasable.c.company_id == self._company_id, erasable.c.about.in_(self._user_ids)
        )
        words_by_person: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for person_id, id_, word in self._session.execute(query):
            words_by_person[person_id][id_] = word
        return words_by_person


def _page_column(column: Column[Any]) -> page.Column:
    description = column_description(column)
    label = None if description.is_key else description.label
    # msgspec refuses SQLAlchemy's own type of names.
    return page.Column(str(column.key), label, description.form, dict(description.words))


class _File(NamedTuple):
    """A file of the archive. `read` returns its content; None if it is missing or unreadable."""

    name: str
    read: Callable[[], bytes | None]


def _files(session: Session, platform: Platform, people: Sequence[Person]) -> Mapping[str, list[_File]]:
    """Returns the sick notes and signed statements of each person, if the caller gets their tables."""
    readers = {part.table.name: part.reader for part in parts()}
    by_id = {person.user_id: person for person in people}
    files: defaultdict[str, list[_File]] = defaultdict(list)
    for table, find_files in ((_NOTES, _notes), (_STATEMENTS, _statements)):
        if people[0].gets(readers[table]):
            for user_id, file in find_files(session, platform, by_id):
                files[user_id].append(file)
    return files


def _of_people(table: Table, people: Mapping[str, Person]) -> ColumnElement[bool]:
    """Returns the SQL condition for rows of these people."""
    company_id = next(iter(people.values())).company_id
    return (table.c.company_id == company_id) & table.c.user_id.in_(people)


def _notes(session: Session, platform: Platform, people: Mapping[str, Person]) -> Iterator[tuple[str, _File]]:
    noted = table_of(_NOTES)
    first = func.min(noted.c.date)
    days = select(noted.c.user_id, noted.c.file_id, first).where(
        _of_people(noted, people), noted.c.file_id.is_not(None)
    )
    notes = session.execute(days.group_by(noted.c.user_id, noted.c.file_id).order_by(noted.c.user_id, first)).all()
    company_id = next(iter(people.values())).company_id
    types = store.media_types(session, company_id, [file_id for _, file_id, _ in notes])
    for user_id, person_notes in groupby(notes, itemgetter(0)):
        for number, (_, file_id, day) in enumerate(person_notes, 1):
            if file_id in types:
                name = f"dateien/krankmeldung-{day.isoformat()}-{number}.{ENDINGS[types[file_id]]}"
                yield user_id, _File(name, partial(_note, platform, people[user_id], file_id))


def _note(platform: Platform, person: Person, file_id: str) -> bytes | None:
    """Returns the content of a sick note and records that it was read; None if it is missing or unreadable."""
    with unit_of_work(platform, scope_of(person.caller), person.caller) as work:
        work.company(person.company_id)
        try:
            content, _ = store.read(work.session, platform, person.company_id, file_id)
        except (store.NoSuchFile, store.Unreadable) as error:
            log.error("sick_note_unreadable", file_id=file_id, exc_info=error)
            return None
        log_reading(work, person.company_id, file_id)
        sessions.recheck_session(work.session, person.caller)
    return content


def _statements(session: Session, platform: Platform, people: Mapping[str, Person]) -> Iterator[tuple[str, _File]]:
    signed = table_of(_STATEMENTS)
    months = select(signed.c.user_id, signed.c.id, signed.c.month).where(_of_people(signed, people))
    statements = session.execute(months.order_by(signed.c.user_id, signed.c.id)).all()
    for user_id, person_statements in groupby(statements, itemgetter(0)):
        for number, (_, id_, month) in enumerate(person_statements, 1):
            name = f"zeitnachweise/zeitnachweis-{month}-{number}.json"
            yield user_id, _File(name, partial(_statement, platform, people[user_id], id_))


def _statement(platform: Platform, person: Person, id_: str) -> bytes | None:
    signed = table_of(_STATEMENTS)
    of_person = (signed.c.company_id == person.company_id) & (signed.c.user_id == person.user_id)
    with platform.database.read(scope_of(person.caller)) as session:
        content: bytes | None = session.scalar(select(signed.c.content).where(of_person, signed.c.id == id_))
        return content


def _resolve_words(value: Any, own_words: Mapping[str, str]) -> Any:
    """Replaces references by the person's own words. References to words about others, and to erased ones,
    become null.
    """
    if isinstance(value, dict):
        if value.keys() == {"word"}:
            return own_words.get(value["word"])
        return {name: _resolve_words(member, own_words) for name, member in value.items()}
    return [_resolve_words(member, own_words) for member in value] if isinstance(value, list) else value
