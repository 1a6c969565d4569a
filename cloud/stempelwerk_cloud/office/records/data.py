"""A person's data as one file: a page to read, each table as JSON, and the files that are kept of them.

It is given out while it is made: it lies on no disk, where notes would be readable, and who takes it slowly holds no
transaction.
"""

import html
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
import structlog
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.database.scopes import Scope
from stempelwerk_cloud.kit.files import store
from stempelwerk_cloud.kit.files.checking import ENDINGS
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_instant, format_minute
from stempelwerk_cloud.kit.http.zips import Sink
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.records import actions, parts
from stempelwerk_cloud.office.records.parts import PARTS, PAY, Part, shown_columns, table_of
from stempelwerk_cloud.office.words import DIRECTIONS, FLAGS, UNCOUNTED
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.service import sessions
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import working
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.stamps import service as stamps

log = structlog.get_logger(__name__)

_EVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_AT_ONCE = 500
_OF_DAY = frozenset({"start_minute", "end_minute", "duty_start", "duty_end", "new_start", "new_end"})
"""Columns of local minutes since midnight."""
_WORDS: Mapping[str, str] = {
    **{"approved": "genehmigt", "declined": "abgelehnt", "rejected": "abgelehnt", "pending": "offen", "open": "offen"},
    **{"excused": "entschuldigt", "cancelled": "storniert", "sick": "krank", "missing": "nicht gekommen"},
    **{"special": "anderer Grund", "vacation": "Urlaub", "wish": "Wunschfrei", "accepted": "angenommen"},
    **{"withdrawn": "zurückgezogen", "void": "hinfällig", "user": "Mitarbeiter", "companyAdmin": "Verwaltung"},
    **{"clock": "Uhr", "correction": "Korrektur"},
    **DIRECTIONS,
    **FLAGS,
    **UNCOUNTED,
}
_VALUES: Mapping[str, str] = {
    "personnel_number": "Personalnummer",
    "department": "Abteilung",
    "entry_date": "Eintritt",
    "exit_date": "Austritt",
    "account_from": "Beginn des Zeitkontos",
    "workdays": "Arbeitstage (0 = Montag)",
    "limits": "Schutzvorschriften",
    "pay_type": "Vergütung",
    "opening_balance_minutes": "Anfangssaldo (Minuten)",
    "opening_vacation_days": "Anfangsbestand Urlaub (halbe Tage)",
    "hourly": "Stundensatz (Cent)",
    "monthly": "Monatslohn (Cent)",
    "weekly_target": "Wochenstunden (Minuten)",
    "vacation_halves": "Urlaubsanspruch (halbe Tage)",
}
"""What is said of a person from a day on; what has no word here is shown as it is called."""
_SAID: Mapping[str, str] = {
    **{"adult": "Erwachsen", "youth": "Jugendlich", "maternity": "Mutterschutz"},
    **{"hourly": "Stundenlohn", "monthly": "Monatslohn"},
}
"""The words among these."""

Row = dict[str, Any]


class Person(NamedTuple):
    """Of whom a file is made, by whom, and what stands above it. `pay`: whether it says what they are paid."""

    company_id: str
    user_id: str
    username: str
    whose: str
    scope: Scope
    pay: bool


def begin(platform: Platform, caller: Caller, user_id: str) -> Person:
    """The person, also one who was deleted; that their data were taken stands in the log. 404."""
    company_id = caller.subject_company_id
    with working(platform, scope_of(caller), caller) as work:
        person = work.session.get(User, (company_id, user_id))
        if person is None:
            raise not_found()
        whose = f"{person.username}, {work.company(company_id).name}"
        work.audit(company_id, actions.TAKEN, user_id)
        sessions.keep(work.session, caller)
        pay = caller.user_id == user_id or "costs" in directory.feature_keys(work.session, company_id)
        return Person(company_id, user_id, person.username, whose, scope_of(caller), pay)


def pieces(platform: Platform, person: Person) -> Iterator[bytes]:
    """The archive, table by table: each is read in a transaction of its own, before it is given out."""
    sink = Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for _ in written_into(archive, platform, person):
            yield sink.taken()
    yield sink.taken()


def written_into(archive: zipfile.ZipFile, platform: Platform, person: Person, folder: str = "") -> Iterator[None]:
    """Writes the person's data into a folder of an archive, which may be given out wherever this pauses."""
    now = platform.clock.now()
    with platform.database.read(person.scope) as session:
        zone = directory.zone_of(session, person.company_id, now)
    page = [_head(person.whose, _local(now, zone))]
    for part in PARTS:
        if part.left_out is None and (person.pay or part.table != PAY):
            with platform.database.read(person.scope) as session:
                page.append(_Reading(session, platform, person, now, zone).table(archive, part, folder))
            yield
    listed: list[str] = []
    for file in _files(platform, person):
        with platform.database.read(person.scope) as session:
            content = file.read(session)
        if content is not None:
            archive.writestr(folder + file.name, content)
            listed.append(file.name)
            yield
    archive.writestr(f"{folder}auskunft.html", "".join([*page, _tail(listed)]))
    yield


class _Reading:
    """What stands in the tables about the person."""

    def __init__(self, session: Session, platform: Platform, person: Person, now: datetime, zone: ZoneInfo) -> None:
        self._session = session
        self._platform = platform
        self._company_id, self._user_id = person.company_id, person.user_id
        self._now, self._zone, self._pay = now, zone, person.pay
        self._names: dict[str | None, str] = {}

    def table(self, archive: zipfile.ZipFile, part: Part, folder: str) -> str:
        """Writes the table as JSON; how it reads on the page."""
        rows = list(self._rows(part))
        archive.writestr(
            f"{folder}daten/{part.table}.json", json.dumps(rows, ensure_ascii=False, indent=1, default=_written) + "\n"
        )
        if not rows:
            return f"<h2>{html.escape(part.title)}</h2><p>Keine.</p>\n"
        told = [{name: _cell(name, value, self._zone) for name, value in row.items()} for row in rows]
        heads = [name for name in rows[0] if name not in parts.IDS and any(row[name] for row in told)]
        body = "\n".join(f"<tr>{''.join(f'<td>{html.escape(row[name])}</td>' for name in heads)}</tr>" for row in told)
        return f"{_table_head(part.title, heads)}{body}</tbody></table>\n"

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
    """A file of the archive; None: it is there no more, or does not open."""

    name: str
    read: Callable[[Session], bytes | None]


def _files(platform: Platform, person: Person) -> Iterator[_File]:
    """The notes and the signed statements."""
    notes, signed = table_of("absences"), table_of("statements")
    with platform.database.read(person.scope) as session:
        own = (notes.c.company_id == person.company_id) & (notes.c.user_id == person.user_id)
        noted = select(notes.c.file_id, func.min(notes.c.date)).where(own, notes.c.file_id.is_not(None))
        files = session.execute(noted.group_by(notes.c.file_id).order_by(func.min(notes.c.date))).all()
        types = store.media_types(session, person.company_id, [file_id for file_id, _ in files])
        mine = (signed.c.company_id == person.company_id) & (signed.c.user_id == person.user_id)
        months = session.execute(select(signed.c.id, signed.c.month).where(mine).order_by(signed.c.id)).all()
    for number, (file_id, day) in enumerate(files, 1):
        if file_id in types:
            name = f"dateien/krankmeldung-{day.isoformat()}-{number}.{ENDINGS[types[file_id]]}"
            yield _File(name, partial(_note, platform, person.company_id, file_id))
    for number, (id_, month) in enumerate(months, 1):
        one = select(signed.c.content).where(mine, signed.c.id == id_)
        yield _File(f"zeitnachweise/zeitnachweis-{month}-{number}.json", partial(_statement, one))


def _note(platform: Platform, company_id: str, file_id: str, session: Session) -> bytes | None:
    try:
        return store.read(session, platform, company_id, file_id)[0]
    except (store.NoSuchFile, store.Unreadable) as error:
        log.error("sick_note_unreadable", file_id=file_id, exc_info=error)
        return None


def _statement(asked: Select[Any], session: Session) -> bytes | None:
    content: bytes | None = session.scalar(asked)
    return content


def _spoken(value: Any, known: Mapping[str, str]) -> Any:
    """A value of the log with the person's own words in it; those about others, and erased ones, are null."""
    if isinstance(value, dict):
        if value.keys() == {"word"}:
            return known.get(value["word"])
        return {name: _spoken(member, known) for name, member in value.items()}
    return [_spoken(member, known) for member in value] if isinstance(value, list) else value


def _written(value: Any) -> str:
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def _local(instant: datetime, zone: ZoneInfo, *, seconds: bool = False) -> str:
    found = instant.astimezone(zone)
    return f"{german.day_in_table(found)}, {found:{'%H:%M:%S' if seconds else '%H:%M'}}"


def _cell(name: str, value: Any, zone: ZoneInfo) -> str:
    match value:
        case None | [] | () | "":
            text = ""
        case bool():
            text = "ja" if value else "nein"
        case datetime():
            text = _local(value, zone, seconds=name == "at")
        case date():
            text = "von Anfang an" if value == date.min else german.day_in_table(value)
        case int() if name in _OF_DAY:
            text = format_minute(value)
        case str() if name == "name":
            text = _VALUES.get(value, value)
        case str() if name == "value":
            said = json.loads(value)
            text = "" if said is None else _SAID.get(str(said), str(said)).strip("[]")
        case str():
            text = _WORDS.get(value, value)
        case list() | tuple() if all(isinstance(one, str) for one in value):
            text = ", ".join(_WORDS.get(one, one) for one in value)
        case _:
            text = json.dumps(value, ensure_ascii=False, default=_written)
    return text


_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#1c1917;background:#fff;margin:2rem auto;max-width:70rem;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem;break-after:avoid}
table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #e9e4dd;padding:.3rem .5rem .3rem 0;text-align:left;vertical-align:top}
td{overflow-wrap:break-word}
thead{display:table-header-group}tr{break-inside:avoid}.muted{color:#5f5850}
@page{size:A4 landscape;margin:14mm}@media print{body{margin:0;max-width:none;font-size:9pt}}
"""


_LEAD = """Auskunft nach Art. 15 DSGVO und Kopie nach Art. 20 DSGVO. Dieselben Angaben liegen im Ordner „daten“ als
JSON, Bescheinigungen und unterschriebene Zeitnachweise in den anderen Ordnern. Passwörter, Schlüssel und Codes fehlen:
Sie öffnen einen Zugang und sagen nichts über dich. Vorgänge im Änderungsprotokoll heißen so, wie das Programm sie
nennt.
"""


def _head(whose: str, when: str) -> str:
    title = html.escape(f"Gespeicherte Daten: {whose}")
    return (
        f'<!doctype html><html lang="de"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f'</head><body><h1>{title}</h1><p class="muted">Stand: {when} Uhr. {_LEAD}</p>\n'
    )


def _table_head(title: str, heads: Iterable[str]) -> str:
    cells = "".join(f'<th scope="col">{html.escape(parts.LABELS.get(name, name))}</th>' for name in heads)
    return f"<h2>{html.escape(title)}</h2><table><thead><tr>{cells}</tr></thead><tbody>\n"


def _tail(files: Iterable[str]) -> str:
    listed = "".join(f'<li><a href="{html.escape(one)}">{html.escape(one)}</a></li>' for one in files)
    left = "".join(f"<li>{html.escape(part.title)}: {part.left_out}.</li>" for part in PARTS if part.left_out)
    return (
        f"<h2>Dateien</h2>{f'<ul>{listed}</ul>' if listed else '<p>Keine.</p>'}"
        f"<h2>Was hier fehlt, und warum</h2><ul>{left}</ul></body></html>\n"
    )
