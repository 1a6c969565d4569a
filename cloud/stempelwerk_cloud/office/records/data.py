"""A person's data as one file: a page to read, each table as JSON, and the files that are kept of them.

Each table and file is read in a transaction of its own and handed to the process that packs it (`page.py`). The person
gets all of it, an administrator the parts that `Part.reader` grants. Each note that is given out is logged.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import structlog
from sqlalchemy import Select, func, select
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
from stempelwerk_cloud.timekeeping.stamps import service as stamps

log = structlog.get_logger(__name__)

PACKS = page.__name__
"""The module that packs what `steps` reads."""
_EVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_AT_ONCE = 500
_OWN = "gehört der Person allein"
_NOTES, _STATEMENTS = "absences", "statements"
"""The tables that have files."""
Row = dict[str, Any]


class Person(NamedTuple):
    """The person whose file is made, the page's title, and the caller. `modules`: the company's; None: the caller is
    the person, who gets all."""

    company_id: str
    user_id: str
    username: str
    whose: str
    caller: Caller
    modules: frozenset[str] | None

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


def steps(platform: Platform, person: Person, folder: str = "") -> Iterator[list[bytes]]:
    """The frames of the person's data, to be packed into that folder: each step reads in a transaction of its own."""
    scope, now = scope_of(person.caller), platform.clock.now()
    with platform.database.read(scope) as session:
        zone = directory.zone_of(session, person.company_id, now)
    yield [encoded(page.Begin(folder, person.whose, now, zone.key))]
    for part in PARTS:
        if part.left_out is None and person.gets(part.reader):
            with platform.database.read(scope) as session:
                frames = list(_Reading(session, person, now).table(part))
            yield frames
    for file in _files(platform, person):
        content = file.read()
        if content is not None:
            yield [encoded(File(file.name, content))]
    yield [encoded(page.Left(list(person.left_out)))]


class _Reading:
    """What stands in the tables about the person."""

    def __init__(self, session: Session, person: Person, now: datetime) -> None:
        self._session = session
        self._company_id, self._user_id = person.company_id, person.user_id
        self._now, self._pay = now, person.gets(parts.COSTS)
        self._names: dict[str | None, str] = {}

    def table(self, part: Part) -> Iterator[bytes]:
        """The frames of a table and its rows."""
        found = self._rows(part)
        rows = list(islice(found, _AT_ONCE))
        yield encoded(page.Table(part.table, part.title, list(rows[0]) if rows else []))
        while rows:
            yield encoded(Rows([[plain(value) for value in row.values()] for row in rows]))
            rows = list(islice(found, _AT_ONCE))

    def _rows(self, part: Part) -> Iterator[Row]:
        match part.table:
            case "entries":
                whole = entries.of_person(self._session, self._company_id, self._user_id, date.min, date.max, self._now)
                yield from ({**msgspec.structs.asdict(one)} for one in whole)
            case "stamps":
                own = stamps.own_stamps(self._session, self._company_id, self._user_id, *_EVER)
                yield from (one._asdict() for one in own)
            case "audit_entries":
                yield from self._decisions(part)
            case _:
                table = table_of(part.table)
                found = select(*shown_columns(table)).where(part.rows(self._company_id, self._user_id))
                yield from self._named(found.order_by(*table.primary_key))

    def _named(self, asked: Select[Any]) -> Iterator[Row]:
        """Rows in which people have names in the place of ids."""
        with self._session.execute(asked, execution_options={"yield_per": _AT_ONCE}) as found:
            for some in found.partitions():
                rows = [row._asdict() for row in some]
                self._learn(row[name] for row in rows for name in parts.NAMES & row.keys())
                for row in rows:
                    yield row | {name: self._names.get(row[name]) for name in parts.NAMES & row.keys()}

    def _learn(self, user_ids: Iterable[str | None]) -> None:
        unknown = {one for one in user_ids if one is not None} - self._names.keys()
        self._names |= directory.deciders_of(self._session, self._company_id, unknown)

    def _decisions(self, part: Part) -> Iterator[Row]:
        """What the log says of the person, and when they decided something themselves; of others it says nothing."""
        table, words = table_of(part.table), table_of("audit_words")
        own = select(words.c.id, words.c.word).where(
            words.c.company_id == self._company_id, words.c.about == self._user_id
        )
        known = {row.id: row.word for row in self._session.execute(own)}
        about = part.rows(self._company_id, self._user_id)
        deeds = (table.c.company_id == self._company_id) & (table.c.actor == self._user_id)
        columns = (table.c.id, table.c.at, table.c.actor, table.c.action, table.c.before, table.c.after)
        asked = select(*columns, about.label("about")).where(about | deeds).order_by(table.c.no)
        if not self._pay:
            asked = asked.where(table.c.action.not_like("compensation.%"))
        for row in self._named(asked):
            is_about = row.pop("about")
            for side in ("before", "after"):
                text = row[side]
                row[side] = _spoken(json.loads(text), known) if is_about and text is not None else None
            yield row


class _File(NamedTuple):
    """A file of the archive. `read` returns None for a file that is gone or does not open."""

    name: str
    read: Callable[[], bytes | None]


def _files(platform: Platform, person: Person) -> Iterator[_File]:
    """The notes and the signed statements, if the caller gets their tables."""
    readers = {part.table: part.reader for part in PARTS}
    if person.gets(readers[_NOTES]):
        yield from _notes(platform, person)
    if person.gets(readers[_STATEMENTS]):
        yield from _statements(platform, person)


def _notes(platform: Platform, person: Person) -> Iterator[_File]:
    noted = table_of(_NOTES)
    own = (noted.c.company_id == person.company_id) & (noted.c.user_id == person.user_id)
    days = select(noted.c.file_id, func.min(noted.c.date)).where(own, noted.c.file_id.is_not(None))
    with platform.database.read(scope_of(person.caller)) as session:
        files = session.execute(days.group_by(noted.c.file_id).order_by(func.min(noted.c.date))).all()
        types = store.media_types(session, person.company_id, [file_id for file_id, _ in files])
    for number, (file_id, day) in enumerate(files, 1):
        if file_id in types:
            name = f"dateien/krankmeldung-{day.isoformat()}-{number}.{ENDINGS[types[file_id]]}"
            yield _File(name, partial(_note, platform, person, file_id))


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


def _statements(platform: Platform, person: Person) -> Iterator[_File]:
    signed, scope = table_of(_STATEMENTS), scope_of(person.caller)
    own = (signed.c.company_id == person.company_id) & (signed.c.user_id == person.user_id)
    with platform.database.read(scope) as session:
        months = session.execute(select(signed.c.id, signed.c.month).where(own).order_by(signed.c.id)).all()

    def content(id_: str) -> bytes | None:
        with platform.database.read(scope) as session:
            found: bytes | None = session.scalar(select(signed.c.content).where(own, signed.c.id == id_))
            return found

    for number, (id_, month) in enumerate(months, 1):
        yield _File(f"zeitnachweise/zeitnachweis-{month}-{number}.json", partial(content, id_))


def _spoken(value: Any, known: Mapping[str, str]) -> Any:
    """A value of the log with the person's own words in it; those about others, and erased ones, are null."""
    if isinstance(value, dict):
        if value.keys() == {"word"}:
            return known.get(value["word"])
        return {name: _spoken(member, known) for name, member in value.items()}
    return [_spoken(member, known) for member in value] if isinstance(value, list) else value
