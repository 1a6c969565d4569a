"""What is known of people's days, for every room that counts with them: read once, and the same for all.

One statement for each kind of fact, whatever the number of people and days.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session

from stempelwerk_cloud.domain.account import Terms
from stempelwerk_cloud.domain.days import AbsentDay, Booked, LeaveDay, Off, PersonDays
from stempelwerk_cloud.domain.instants import EPOCH
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.domain.roster import Planned, ZoneOn
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.employment.service import Employment
from stempelwerk_cloud.planning.days.standing import standing
from stempelwerk_cloud.planning.facts import hours
from stempelwerk_cloud.planning.facts.holidays import Holidays
from stempelwerk_cloud.planning.facts.tables import Absence, Booking, Duty, FreeDay, VacationRequest
from stempelwerk_cloud.timekeeping.entries import service as entries

__all__ = ["ALL", "Days", "Fact", "load", "standing", "worked_on_leave"]

Fact = Literal["duties", "leave", "absences", "bookings"]
ALL: Final[tuple[Fact, ...]] = ("duties", "leave", "absences", "bookings")


@dataclass(frozen=True, slots=True)
class Days:
    """What was read: `company` and `values` as they are stored, and what it comes to for each person."""

    company: Sequence[Change]
    values: Mapping[str, Sequence[Change]]
    holidays: Holidays
    employments: Mapping[str, Employment]
    people: Mapping[str, PersonDays]

    @property
    def zone_on(self) -> ZoneOn:
        """The company's time zone on a local day."""
        return directory.zones(self.company)


def load(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    first: date,
    last: date,
    facts: Collection[Fact] = ALL,
    names: Collection[str] = (),
) -> Days:
    """The days from `first` to `last`, both included, of these people; `date.min`: from ever.

    Only these facts are read; of the others it stands as if there were none. `names`: values of people that whoever
    asks reads besides. Who asks has made sure that the people are the company's.
    """
    asked = sorted(set(user_ids))
    company = directory.setting_changes(session, company_id)
    targets = hours.Targets(company)
    holidays = Holidays(company, _free(session, company_id))
    values = directory.person_values(session, company_id, {*employment.NAMES, hours.WEEKLY_TARGET, *names}, asked)
    employments = {user_id: employment.employment_of(values.get(user_id, ())) for user_id in asked}
    reading = _Reading(session, company_id, asked, first, last)
    duties = _duties(reading) if "duties" in facts else {}
    leave = _leave(reading) if "leave" in facts else {}
    absences = _absences(reading, company) if "absences" in facts else {}
    booked = _booked(reading) if "bookings" in facts else {}
    people = {
        user_id: PersonDays(
            Terms(targets.of(values.get(user_id, ())), one.workdays, one.entry_date, one.exit_date),
            holidays.on,
            one.entry_date,
            one.exit_date,
            one.workdays,
            leave.get(user_id, {}),
            absences.get(user_id, {}),
            duties.get(user_id, {}),
            booked.get(user_id, ()),
            one.account_from,
        )
        for user_id, one in employments.items()
    }
    return Days(company, values, holidays, employments, people)


def _free(session: Session, company_id: str) -> dict[date, Off]:
    """The company's free days, of all years: a few a year, and an account looks back over all of them."""
    found = select(FreeDay.date, FreeDay.name, FreeDay.half).where(FreeDay.company_id == company_id)
    return {day: Off(name, 1 if half else 2) for day, name, half in session.execute(found)}


def worked_on_leave(session: Session, company_id: str, days: Collection[tuple[str, date]]) -> set[tuple[str, date]]:
    """Those of these people's days, on which they have entries, that they should not have worked (`PersonDay`).

    Most people have neither leave nor illness on them, which two narrow statements say; only else more is read.
    """
    asked = set(days)
    if not asked:
        return set()
    first, last = min(day for _, day in asked), max(day for _, day in asked)
    reading = _Reading(session, company_id, sorted({user_id for user_id, _ in asked}), first, last)
    off = {user_id for user_id, kind in reading.rows(Absence.date, Absence.date, Absence.kind) if kind == "sick"}
    table = VacationRequest
    leave = reading.rows(table.start_date, table.end_date, table.kind, table.status)
    off |= {user_id for user_id, kind, status in leave if (kind, status) == ("vacation", "approved")}
    if not off:
        return set()
    people = load(session, company_id, off, first, last, ("leave", "absences")).people
    doubtful = {
        (user_id, day): people[user_id].on(day)
        for user_id, day in asked
        if user_id in off and (day in people[user_id].leave or day in people[user_id].absences)
    }
    worked: dict[tuple[str, date], int] = defaultdict(int)
    # Whether an entry is running does not matter, and so neither does the moment.
    for entry in entries.of_days(session, company_id, doubtful.keys(), EPOCH):
        worked[entry.user_id, entry.date] += entry.net_minutes or 0
    return {one for one, day in doubtful.items() if day.worked_on_leave(worked[one])}


class _Reading(NamedTuple):
    """Of whom and of which days something is read."""

    session: Session
    company_id: str
    user_ids: Sequence[str]
    first: date
    last: date

    def rows(
        self, starts: InstrumentedAttribute[date], ends: InstrumentedAttribute[date], *columns: Any
    ) -> Sequence[tuple[Any, ...]]:
        """These columns of a table's rows that touch the days, by person and start."""
        table = starts.class_
        found = (
            select(table.user_id, *columns)
            .where(table.company_id == self.company_id, table.user_id.in_(self.user_ids))
            .where(starts <= self.last, ends >= self.first)
            .order_by(table.user_id, starts, table.id)
        )
        return [tuple(row) for row in self.session.execute(found)]


def _duties(reading: _Reading) -> dict[str, dict[date, Planned]]:
    found: dict[str, dict[date, Planned]] = defaultdict(dict)
    for user_id, *duty in reading.rows(Duty.date, Duty.date, Duty.date, Duty.start_minute, Duty.end_minute):
        found[user_id][duty[0]] = Planned(*duty)
    return found


def _leave(reading: _Reading) -> dict[str, dict[date, list[LeaveDay]]]:
    """Day by day, as far as the days reach that were asked for; what was declined is none."""
    table = VacationRequest
    columns = table.start_date, table.end_date, table.start_half, table.end_half
    found: dict[str, dict[date, list[LeaveDay]]] = defaultdict(lambda: defaultdict(list))
    for user_id, *span, kind, status in reading.rows(columns[0], columns[1], *columns, table.kind, table.status):
        if status == "declined":
            continue
        for day, halves in LeaveSpan(*span).parts():
            if reading.first <= day <= reading.last:
                found[user_id][day].append(LeaveDay(kind, status, halves))
    return found


class _AbsenceRow(NamedTuple):
    user_id: str
    id: str
    date: date
    kind: str
    status: str
    noted: bool
    duty_start: int | None
    duty_end: int | None


def _absences(reading: _Reading, company: Sequence[Change]) -> dict[str, dict[date, AbsentDay]]:
    """Those that stand: of a day one alone, for what was declined is none."""
    columns = Absence.id, Absence.date, Absence.kind, Absence.status, Absence.noted_at.is_not(None)
    rows = reading.rows(Absence.date, Absence.date, *columns, Absence.duty_start, Absence.duty_end)
    alive = [one for one in (_AbsenceRow(*row) for row in rows) if one.status != "declined"]
    found: dict[str, dict[date, AbsentDay]] = defaultdict(dict)
    for one in standing(reading.session, reading.company_id, alive, company):
        found[one.user_id][one.date] = AbsentDay(one.kind, one.status, one.noted)
    return found


def _booked(reading: _Reading) -> dict[str, list[Booked]]:
    """Oldest first."""
    columns = Booking.id, Booking.date, Booking.minutes, Booking.vacation_halves, Booking.reason
    found: dict[str, list[Booked]] = defaultdict(list)
    for user_id, id_, day, minutes, halves, reason in reading.rows(Booking.date, Booking.date, *columns):
        found[user_id].append(Booked(id_, day, minutes or 0, halves or 0, reason))
    return found
