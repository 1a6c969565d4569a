"""Files for inspections by authorities: begin, end and duration of all people's working time (§ 16 ArbZG,
§ 17 MiLoG).
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.surcharges import act_night, stretch
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.csv_tables import Row as TableRow
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.files.packing import stored, table
from stempelwerk_cloud.kit.files.packing.frames import File, encoded, of_rows
from stempelwerk_cloud.kit.http import downloads
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.kit.subprocesses.subprocess_render import NotDrawn
from stempelwerk_cloud.office.exports import words
from stempelwerk_cloud.office.exports.files import making, sheets
from stempelwerk_cloud.office.exports.files.formats import CSV
from stempelwerk_cloud.office.exports.files.making import Made
from stempelwerk_cloud.office.exports.tax_audit.inspected import Inspection, Inspections, Row, papers_of
from stempelwerk_cloud.people.directory.companies import company_name, setting_changes, today_of, zones
from stempelwerk_cloud.people.directory.people import by_name, hidden_in, in_order, names_of, staff_in
from stempelwerk_cloud.timekeeping.times.reading.values import (
    EntryValue,
    count_entries,
    first_days,
    of_company,
    of_person,
)

MOST_ROWS: Final = 15_000
"""The largest number of rows of one PDF: about ten seconds of rendering, while the client waits for the first byte."""
_ATTEMPTS: Final = 5
"""How often a rendering slot is requested. Together the attempts take half a minute, the time that a page waits for the
next byte.
"""
_AT_ONCE: Final = 4
"""How many people one process draws. Its start takes longer than drawing one person; nothing is sent meanwhile."""
EIGHT_HOURS: Final = 480
HEADS: Final = (
    "Name",
    "Datum",
    "Beginn",
    "Ende",
    "Pause (Min)",
    "Dauer (Std)",
    "Über 8 Std (Std)",
    "Nacht 23–6 Uhr (Std)",
    "Hinweise",
)
Year = tuple[date, date]
"""The first and the last day of a piece of one year at most."""
Line = tuple[EntryValue, int, int]
"""An entry; and on the day's last entry the day's minutes beyond eight hours and at night (ArbZG), otherwise 0."""


class Packed(NamedTuple):
    """A streamed file: the frames of its pieces, and the name of the module that packs them."""

    steps: Iterator[list[bytes]]
    packs: str
    name: str
    media_type: str


def begin(platform: Platform, company_id: str, first: date, last: date, form: Literal["pdf", "csv"]) -> Made | Packed:
    """Begins the file of the days from `first` to `last`, both included. Raises NotDrawn.

    A PDF of more than `MOST_ROWS` rows becomes a ZIP with one PDF for each person.
    """
    name = f"inspection_{first.isoformat()}_{last.isoformat()}"
    with making.reading(platform, company_id) as session:
        years = _years(session, company_id, first, last, platform.clock.now())
        if form == "csv":
            return Packed(_table(platform, company_id, years), table.__name__, f"{name}.csv", CSV)
        if count_entries(session, company_id, first, last) > MOST_ROWS:
            steps = _papers(platform, company_id, years, german.period(first, last))
            return Packed(steps, stored.__name__, f"{name}.zip", downloads.MEDIA_TYPE)
        company = company_name(session, company_id)
        people = [
            (person, tuple(map(_row, lines)))
            for start, end in years
            for person, lines in _of_company(session, company_id, start, end, platform.clock.now())
        ]
    order = Inspection(company, german.period(first, last), tuple(people))
    pdf = subprocess_render.render(platform, company_id, order, patience_s=places.PATIENCE_S)
    return Made(pdf, f"{name}.pdf", "application/pdf", draft=False)


def _papers(platform: Platform, company_id: str, years: Sequence[Year], period: str) -> Iterator[list[bytes]]:
    """Yields the frames of one PDF for each person, in pieces of a few people; the first piece has one. Raises
    NotDrawn.
    """
    with making.reading(platform, company_id) as session:
        company = company_name(session, company_id)
        people = [user_id for user_id, _ in _ever_there(session, company_id)]
    start, end, at_once, count = years[0][0], years[-1][1], 1, 0
    while people:
        orders = [
            Inspection(company, period, ((name, tuple(map(_row, lines))),))
            for name, lines in _of_people(platform, company_id, people[:at_once], start, end)
        ]
        people, at_once = people[at_once:], min(2 * at_once, _AT_ONCE)
        if not orders:
            continue
        papers = yield from _draw_papers(platform, company_id, Inspections(tuple(orders)))
        files = []
        for order, paper in zip(orders, papers, strict=True):
            count += 1
            files.append(encoded(File(f"{count:04d}-{downloads.fitting(order.people[0][0])}.pdf", paper)))
        yield files


def _draw_papers(platform: Platform, company_id: str, order: Inspections) -> Generator[list[bytes], None, list[bytes]]:
    """Returns the drawn PDFs. While others draw, it yields an empty piece, so that no thread waits."""
    for attempts_left in reversed(range(_ATTEMPTS)):
        try:
            return papers_of(subprocess_render.render(platform, company_id, order, patience_s=places.PATIENCE_S))
        except NotDrawn:
            if not attempts_left:
                raise
            yield []
    raise AssertionError("The last attempt returns or raises.")


def _table(platform: Platform, company_id: str, years: Sequence[Year]) -> Iterator[list[bytes]]:
    """Yields the rows of a CSV file, one year at a time."""
    yield [*of_rows([HEADS])]
    for start, end in years:
        yield [*of_rows(lines(platform, company_id, start, end))]


def lines(platform: Platform, company_id: str, first: date, last: date) -> list[TableRow]:
    """Returns the rows of these days, of one year at most. Their columns are `HEADS`."""
    with making.reading(platform, company_id) as session:
        people = _of_company(session, company_id, first, last, platform.clock.now())
    return [_line(person, line) for person, person_lines in people for line in person_lines]


def _years(session: Session, company_id: str, first: date, last: date, now: datetime) -> list[Year]:
    """Splits the days by calendar year, from the company's first entry on; one year at most stays in one piece."""
    if (last - first).days < 366:
        return [(first, last)]
    people = [user_id for user_id, _ in _ever_there(session, company_id)]
    begun = first_days(session, company_id, people).values()
    today = today_of(session, company_id, now)
    oldest, newest = max(first, min(begun, default=last)), min(last, today)
    return [
        (max(oldest, date(year, 1, 1)), min(newest, date(year, 12, 31))) for year in range(oldest.year, newest.year + 1)
    ]


def _ever_there(session: Session, company_id: str) -> list[tuple[str, str]]:
    """Returns the id and name of all people, including deleted ones, sorted by name."""
    people = staff_in(session, company_id, deleted=True)
    return [(user.id, user.username) for user in sorted(people, key=in_order)]


def _of_company(
    session: Session, company_id: str, first: date, last: date, now: datetime
) -> list[tuple[str, list[Line]]]:
    return _people(session, company_id, of_company(session, company_id, first, last, now))


def _of_people(
    platform: Platform, company_id: str, user_ids: Sequence[str], first: date, last: date
) -> list[tuple[str, list[Line]]]:
    """Returns the name and the lines of each of these people who has times, in their order."""
    now = platform.clock.now()
    with making.reading(platform, company_id) as session:
        entries_by_person = (of_person(session, company_id, user_id, first, last, now) for user_id in user_ids)
        return [
            person for person_entries in entries_by_person for person in _people(session, company_id, person_entries)
        ]


def _people(session: Session, company_id: str, entry_values: Iterable[EntryValue]) -> list[tuple[str, list[Line]]]:
    """Returns the name and the lines of each person with times, by name. `entry_values` are sorted by person
    and start.
    """
    hidden = hidden_in(session, company_id)
    visible_entries = (entry for entry in entry_values if entry.user_id not in hidden)
    entries_by_person = {user_id: list(group) for user_id, group in groupby(visible_entries, attrgetter("user_id"))}
    names = names_of(session, company_id, entries_by_person)
    zone_on = zones(setting_changes(session, company_id))
    people = []
    for user_id in sorted(entries_by_person, key=lambda person_id: by_name(names[person_id], person_id)):
        lines: list[Line] = []
        for day, group in groupby(entries_by_person[user_id], attrgetter("date")):
            of_day = list(group)
            beyond = max(0, sum(entry.net_minutes or 0 for entry in of_day) - EIGHT_HOURS)
            at_night = sum(_at_night(entry, zone_on(day)) for entry in of_day)
            lines += [(entry, 0, 0) for entry in of_day[:-1]]
            lines.append((of_day[-1], beyond, at_night))
        people.append((names[user_id], lines))
    return people


def _at_night(entry: EntryValue, zone: ZoneInfo) -> int:
    if entry.end is None or entry.raw_minutes is None:
        return 0
    return act_night(stretch(entry.date, entry.end, entry.raw_minutes, entry.break_minutes or 0), zone)


def _line(name: str, line: Line) -> TableRow:
    entry, beyond, night = line
    return (
        name,
        entry.date,
        None if entry.start_minute is None else german.clock(entry.start_minute),
        None if entry.end_minute is None else german.clock(entry.end_minute),
        entry.break_minutes,
        None if entry.net_minutes is None else sheets.hours(entry.net_minutes),
        sheets.hours(beyond) if beyond else None,
        sheets.hours(night) if night else None,
        words.flags(entry.flags, running=entry.running),
    )


def _row(line: Line) -> Row:
    entry, beyond, night = line
    return (
        f"{words.day(entry.date)}{entry.date.year}",
        "–" if entry.start_minute is None else german.clock(entry.start_minute),
        "–" if entry.end_minute is None else german.clock(entry.end_minute),
        "–" if entry.break_minutes is None else german.duration(entry.break_minutes),
        "–" if entry.net_minutes is None else german.duration(entry.net_minutes),
        german.duration(beyond) if beyond else "",
        german.duration(night) if night else "",
        words.flags(entry.flags, running=entry.running),
    )
