"""What authorities ask for: begin, end and duration of everybody's working time (§ 16 ArbZG, § 17 MiLoG)."""

import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import shifted
from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http import downloads, zips
from stempelwerk_cloud.kit.paper import apart
from stempelwerk_cloud.kit.paper.processes import NotDrawn
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.exports import making, sheets, words
from stempelwerk_cloud.office.exports.inspected import Inspection, Inspections, Row, papers_of
from stempelwerk_cloud.office.exports.making import Made
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.service import EntryValue

MOST_ROWS: Final = 15_000
"""Of one PDF: some ten seconds of drawing, while somebody waits for its first byte."""
_ATTEMPTS: Final = 5
"""To find a place for drawing: so long a page waits for the next byte (half a minute)."""
_AT_ONCE: Final = 4
"""People of one process, which takes longer to begin than to draw one of them; nothing goes out meanwhile."""
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
Line = tuple[EntryValue, int, int]
"""An entry; the minutes of its day beyond eight hours and at night (ArbZG), on the day's last entry."""


def file(platform: Platform, company_id: str, first: date, last: date, form: Literal["pdf", "csv"]) -> Made | None:
    """Of the days from `first` to `last`, both included. None for what takes long: `table`, `papers`. NotDrawn."""
    name = name_of(first, last, form)
    if form == "csv":
        whole = None if _is_long(first, last) else b"".join(table(platform, company_id, first, last))
        return None if whole is None else Made(whole, name, making.CSV, draft=False)
    with making.reading(platform, company_id) as session:
        if entries.how_many(session, company_id, first, last) > MOST_ROWS:
            return None
        company = directory.company_name(session, company_id)
        rows: list[tuple[str, tuple[Row, ...]]] = []
        for start, end in _years(session, company_id, first, last, platform.clock.now()):
            found = _of_company(session, company_id, start, end, platform.clock.now())
            rows += [(name, tuple(map(_row, lines))) for name, lines in found]
    order = Inspection(company, german.period(first, last), tuple(rows))
    drawn = apart.drawn(platform, company_id, order, patience_s=places.PATIENCE_S)
    return Made(drawn, name, "application/pdf", draft=False)


def papers(platform: Platform, company_id: str, first: date, last: date) -> Iterator[bytes]:
    """A zip with a PDF for each person, piece by piece: some are read and drawn when those before have gone out, at
    first one alone.

    While others draw, a piece is empty: nobody's thread is held for it. NotDrawn.
    """
    now = platform.clock.now()
    with making.reading(platform, company_id) as session:
        company = directory.company_name(session, company_id)
        years = _years(session, company_id, first, last, now)
        people = _ever_there(session, company_id)
    start, end = years[0][0], years[-1][1]
    at_once = 1
    sink = zips.Sink()
    with zipfile.ZipFile(sink, "w") as archive:
        while people:
            with making.reading(platform, company_id) as session:
                around = [
                    entries.of_person(session, company_id, user_id, shifted(start, -2), end, now)
                    for user_id, _ in people[:at_once]
                ]
                found = [_people(session, company_id, one, start, end, now) for one in around]
            people, at_once = people[at_once:], min(2 * at_once, _AT_ONCE)
            orders = [
                Inspection(company, german.period(first, last), ((name, tuple(map(_row, lines))),))
                for one in found
                for name, lines in one
            ]
            if not orders:
                continue
            for attempt in range(_ATTEMPTS):
                try:
                    drawn = apart.drawn(platform, company_id, Inspections(tuple(orders)), patience_s=places.PATIENCE_S)
                    break
                except NotDrawn:
                    if attempt == _ATTEMPTS - 1:
                        raise
                    yield b""
            for order, paper in zip(orders, papers_of(drawn), strict=True):
                name = downloads.fitting(order.people[0][0])
                archive.writestr(f"{len(archive.namelist()) + 1:04d}-{name}.pdf", paper)
            yield sink.taken()
    yield sink.taken()


def table(platform: Platform, company_id: str, first: date, last: date) -> Iterator[bytes]:
    """A CSV, piece by piece: a year is read when what was before it has gone out."""
    yield sheets.csv_head(HEADS)
    with making.reading(platform, company_id) as session:
        years = _years(session, company_id, first, last, platform.clock.now())
    for start, end in years:
        with making.reading(platform, company_id) as session:
            people = _of_company(session, company_id, start, end, platform.clock.now())
        yield sheets.csv_lines(_line(person, one) for person, found in people for one in found)


def _is_long(first: date, last: date) -> bool:
    return (last - first).days >= 366


def name_of(first: date, last: date, form: str) -> str:
    return f"inspection_{first.isoformat()}_{last.isoformat()}.{form}"


def _years(session: Session, company_id: str, first: date, last: date, now: datetime) -> list[tuple[date, date]]:
    """The days in one piece, if they are a year at most; else by calendar years, from the company's first entry on."""
    if not _is_long(first, last):
        return [(first, last)]
    people = [user_id for user_id, _ in _ever_there(session, company_id)]
    begun = entries.first_days(session, company_id, people).values()
    today = directory.today_of(session, company_id, now)
    oldest, newest = max(first, min(begun, default=last)), min(last, today)
    return [
        (max(oldest, date(year, 1, 1)), min(newest, date(year, 12, 31))) for year in range(oldest.year, newest.year + 1)
    ]


def _ever_there(session: Session, company_id: str) -> list[tuple[str, str]]:
    """Everybody, also who was deleted, by name: id and name."""
    people = [*directory.people_in(session, company_id), *directory.deleted_in(session, company_id)]
    names = directory.names_of(session, company_id, {user.id for user in people})
    return sorted(names.items(), key=lambda one: directory.by_name(one[1], one[0]))


def _of_company(
    session: Session, company_id: str, first: date, last: date, now: datetime
) -> list[tuple[str, list[Line]]]:
    around = list(days.entries_around(session, company_id, first, last, now))
    return _people(session, company_id, around, first, last, now)


def _people(
    session: Session, company_id: str, around: Sequence[EntryValue], first: date, last: date, now: datetime
) -> list[tuple[str, list[Line]]]:
    """By name: everybody with times among these, which reach back as `days.entries_around` do."""
    every = (one for one in around if first <= one.date)
    own = {user_id: list(found) for user_id, found in groupby(every, attrgetter("user_id"))}
    names = directory.names_of(session, company_id, own)
    known = days.load(session, company_id, own, first, last, ())
    night = days.surcharges_of(session, company_id, known, first, last, now, around)
    found = []
    for user_id in sorted(own, key=lambda one: directory.by_name(names[one], one)):
        lines: list[Line] = []
        for day, group in groupby(own[user_id], attrgetter("date")):
            of_day = list(group)
            beyond = max(0, sum(one.net_minutes or 0 for one in of_day) - EIGHT_HOURS)
            at_night = night[user_id][day].act_night if day in night.get(user_id, {}) else 0
            lines += [(one, 0, 0) for one in of_day[:-1]]
            lines.append((of_day[-1], beyond, at_night))
        found.append((names[user_id], lines))
    return found


def _line(name: str, line: Line) -> sheets.Row:
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
