"""What authorities ask for: begin, end and duration of everybody's working time (§ 16 ArbZG, § 17 MiLoG)."""

from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import german
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.paper import apart
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.exports import making, problems, sheets, words
from stempelwerk_cloud.office.exports.inspected import Inspection, Row
from stempelwerk_cloud.office.exports.making import Made
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.service import EntryValue

MOST_DAYS: Final = 366
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


def file(platform: Platform, company_id: str, first: date, last: date, form: Literal["pdf", "csv"]) -> Made:
    """Of the days from `first` to `last`, both included. 422 for more than a year. NotDrawn."""
    if last < first:
        raise problems.period_wrong()
    if (last - first).days >= MOST_DAYS:
        raise problems.period_too_long()
    with making.reading(platform, company_id) as session:
        company = directory.company_name(session, company_id)
        people = _people(session, company_id, first, last, platform.clock.now())
    name = f"inspection_{first.isoformat()}_{last.isoformat()}.{form}"
    if form == "csv":
        lines = (_line(person, one) for person, found in people for one in found)
        return Made(sheets.as_csv(HEADS, lines), name, making.CSV, draft=False)
    rows = tuple((person, tuple(map(_row, found))) for person, found in people)
    order = Inspection(company, german.period(first, last), rows)
    return Made(apart.drawn(platform, company_id, order, patience_s=places.PATIENCE_S), name, "application/pdf", False)


def _people(session: Session, company_id: str, first: date, last: date, now: datetime) -> list[tuple[str, list[Line]]]:
    """By name: everybody with times."""
    every = entries.of_company(session, company_id, first, last, now)
    own = {user_id: list(found) for user_id, found in groupby(every, attrgetter("user_id"))}
    names = directory.names_of(session, company_id, own)
    known = days.load(session, company_id, own, first, last, ())
    night = days.surcharges_of(session, company_id, known, first, last, now)
    found = []
    for user_id in sorted(own, key=lambda one: (names[one].casefold(), one)):
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
