"""Years of a company's history, as rows: work, targets, leave with its notices, illness, bookings, plans and messages
of its people.

They are inserted directly, because a decade of taps would take too long. None of it is a stamp: `rebuild` would remove
the entries.
"""

from __future__ import annotations

import itertools
import json
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.office.records.years import TIMES_YEARS
from stempelwerk_cloud.people.directory.tables import CompanySetting, PersonValue
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.planning.facts.tables import Absence, Booking, Duty, VacationNotice, VacationRequest
from stempelwerk_cloud.timekeeping.ledger.tables import PersonNumber, TimeEntry

_AT = datetime(2000, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_AT_ONCE = 20_000
_PLANNED_YEARS = 3
_MESSAGES, _UNREAD = 20, 3
_NUMBERS = select(PersonNumber.user_id, PersonNumber.no)
_LEAVE = ((2, 9, 5), (4, 6, 5), (7, 20, 12), (10, 5, 3), (12, 21, 3))  # month, day, days: 28 in all
_YEARLY_HALVES = 60
_CARRIED_UNTIL = 3, 31  # month and day of the next year
_NOTED_ON, _LEFT_HALVES = (10, 1), 4
_COMES_EVEN_SO = 40  # one in 40 people works on every day
_ILL = ((1, 15, 3), (6, 3, 2), (11, 9, 4))


def fill(session: Session, company_id: str, user_ids: Sequence[str], years: int, today: date, end_date: date) -> int:
    """Inserts `years` whole years and the current one, with work up to the day before `end_date`; returns the number of
    entries.

    The people must have tapped before: the first stamp gives each the number that entries refer to.
    """
    first = date(today.year - years, 1, 1)
    _settle(session, company_id, user_ids, first, years)
    for start, user_id in enumerate(user_ids):
        _put(session, VacationRequest, _leave(company_id, user_id, first.year, today.year, start % 5))
        _put(session, Absence, _illness(company_id, user_id, first.year, today, start % 7))
        _put(session, VacationNotice, (_notice(company_id, user_id, year) for year in _span(first, today)))
    _put(
        session,
        Booking,
        (_booking(company_id, user_id, date(y, 6, 30)) for user_id in user_ids for y in _span(first, today)),
    )
    planned = {*_workdays(date(today.year - _PLANNED_YEARS + 1, 1, 1), date(today.year, 12, 31)), today}
    # Today's duty begins at midnight, so that absent people are missing whatever the hour and day of the measurement.
    start_minutes = {today: 0}
    _put(
        session,
        Duty,
        (_duty(company_id, user_id, day, start_minutes.get(day, 7 * 60)) for user_id in user_ids for day in planned),
    )
    _put(session, Message, (_message(company_id, user_id, n) for user_id in user_ids for n in range(_MESSAGES)))
    numbers = {row.user_id: row.no for row in session.execute(_NUMBERS.where(PersonNumber.company_id == company_id))}
    worked = _workdays(first, end_date - _DAY)
    off = {user_id: days_off(number, first, today) for number, user_id in enumerate(user_ids)}
    return _put(
        session,
        TimeEntry,
        (
            _entry(company_id, numbers[user_id], day)
            for user_id in user_ids
            for day in worked
            if day not in off[user_id]
        ),
    )


def by_year(session: Session, company_id: str, first: int, last: int) -> dict[int, int]:
    """Returns the number of entries in each year from `first` to `last`."""
    entries = select(func.count()).select_from(TimeEntry).where(TimeEntry.company_id == company_id)
    spans = {year: TimeEntry.date.between(date(year, 1, 1), date(year, 12, 31)) for year in range(first, last + 1)}
    return {year: session.scalar(entries.where(span)) or 0 for year, span in spans.items()}


def people_away_by_year(session: Session, company_id: str, first: int, last: int) -> dict[int, int]:
    """Returns how many people have both approved leave and illness in each year, from the first to the last."""
    people = select(func.count(func.distinct(VacationRequest.user_id))).where(
        VacationRequest.company_id == company_id,
        VacationRequest.kind == "vacation",
        VacationRequest.status == "approved",
    )
    ill = select(Absence.user_id).where(Absence.company_id == company_id)
    years = {year: (date(year, 1, 1), date(year, 12, 31)) for year in range(first, last + 1)}
    return {
        year: session.scalar(
            people.where(
                VacationRequest.start_date.between(*days),
                VacationRequest.user_id.in_(ill.where(Absence.date.between(*days))),
            )
        )
        or 0
        for year, days in years.items()
    }


def days_off(number: int, first: date, last: date) -> set[date]:
    """Returns a person's days of leave and illness in the years of these dates; one person in forty has no such
    days.
    """
    if number % _COMES_EVEN_SO == 0:
        return set()
    years = range(first.year, last.year + 1)
    absences = [(date(year, *period[:2]) + number % 5 * _DAY, period[2]) for year in years for period in _LEAVE]
    absences += [(date(year, *period[:2]) + number % 7 * _DAY, period[2]) for year in years for period in _ILL]
    return {start + n * _DAY for start, days in absences for n in range(days)}


def _put(session: Session, table: type[Base], rows: Iterator[dict[str, Any]]) -> int:
    count = 0
    while some := list(itertools.islice(rows, _AT_ONCE)):
        session.execute(insert(table), some)
        count += len(some)
    return count


def _settle(session: Session, company_id: str, user_ids: Sequence[str], first: date, years: int) -> None:
    """Inserts the settings of the people and the company: two changes of each weekly target, the holidays of a
    Bundesland, yearly leave, an entry date, and a retention of all these years.
    """
    retention_years = max(years, TIMES_YEARS.default)  # the retention job removes older entries
    company_values = {
        "hours_mode": "perEmployee",
        "holiday_region": "DE-BY",
        "vacation_uniform_halves": _YEARLY_HALVES,
        "vacation_carry_until": "{:02}-{:02}".format(*_CARRIED_UNTIL),
        TIMES_YEARS.name: retention_years,
    }
    session.execute(
        delete(CompanySetting).where(
            CompanySetting.company_id == company_id, CompanySetting.setting.in_(company_values)
        )
    )
    settings = (
        {"setting": name, "value": json.dumps(value), "valid_from": date.min} for name, value in company_values.items()
    )
    _put(session, CompanySetting, ({"company_id": company_id, "set_at": _AT, **setting} for setting in settings))
    values = [
        ("entry_date", date.min, first.isoformat()),
        ("weekly_target", date.min, 2_400),
        ("weekly_target", date(first.year + 1, 7, 1), 2_100),
        ("weekly_target", date(first.year + 2, 1, 1), 2_280),
    ]
    _put(
        session,
        PersonValue,
        (
            {"company_id": company_id, "user_id": user_id, "set_at": _AT}
            | {"name": name, "valid_from": start, "value": json.dumps(value)}
            for user_id in user_ids
            for name, start, value in values
        ),
    )


def _span(first: date, last: date) -> range:
    return range(first.year, last.year)


def _workdays(first: date, last: date) -> list[date]:
    days = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return [day for day in days if day.weekday() < 5]


def _leave(company_id: str, user_id: str, first: int, last: int, shift: int) -> Iterator[dict[str, Any]]:
    for year, (month, day, days) in itertools.product(range(first, last + 1), _LEAVE):
        start = date(year, month, day) + shift * _DAY
        yield {
            **_owner_columns(company_id, user_id),
            "kind": "vacation",
            "start_date": start,
            "end_date": start + (days - 1) * _DAY,
            "status": "pending" if year == last and month == 12 else "approved",
            "created_at": _AT,
        }


def _illness(company_id: str, user_id: str, first: int, today: date, shift: int) -> Iterator[dict[str, Any]]:
    for year, (month, day, days) in itertools.product(range(first, today.year + 1), _ILL):
        report = str(uuid.uuid4())
        for n in range(days):
            ill = date(year, month, day) + (shift + n) * _DAY
            if ill < today:
                yield {
                    **_owner_columns(company_id, user_id),
                    "report_id": report,
                    "date": ill,
                    "kind": "sick",
                    "status": "excused",
                    "noted_at": _AT,
                    "created_at": _AT,
                }


def _notice(company_id: str, user_id: str, year: int) -> dict[str, Any]:
    sent = date(year, *_NOTED_ON)
    return {
        **_owner_columns(company_id, user_id),
        "year": year,
        "halves": _LEFT_HALVES,
        "until": date(year + 1, *_CARRIED_UNTIL),
        "sent_on": sent,
        "sent_at": datetime(sent.year, sent.month, sent.day, tzinfo=UTC),
        "message_id": str(uuid.uuid4()),
    }


def _booking(company_id: str, user_id: str, day: date) -> dict[str, Any]:
    return {**_owner_columns(company_id, user_id), "date": day, "minutes": -300, "reason": "ausgezahlt", "made_at": _AT}


def _duty(company_id: str, user_id: str, day: date, start_minute: int) -> dict[str, Any]:
    times = {"start_minute": start_minute, "end_minute": 15 * 60 + 30}
    return {**_owner_columns(company_id, user_id), "date": day, **times, "created_at": _AT, "changed_at": _AT}


def _message(company_id: str, user_id: str, number: int) -> dict[str, Any]:
    content = {"type": "decision", "title": "Urlaub genehmigt", "body": "Dein Urlaub ist genehmigt.", "payload": "{}"}
    read_at = None if number < _UNREAD else _AT
    return {**_owner_columns(company_id, user_id), **content, "created_at": _AT, "read_at": read_at}


def _entry(company_id: str, person_no: int, day: date) -> dict[str, Any]:
    """Returns the row of an entry of eight and a half hours with half an hour of break."""
    begun = datetime(day.year, day.month, day.day, 6, tzinfo=UTC)
    return {
        "company_id": company_id,
        "person_no": person_no,
        "date": day,
        "id": str(uuid.uuid4()),
        "start_at": begun,
        "end_at": begun + timedelta(minutes=510),
        "device_no": None,
        "start_minute": 7 * 60,
        "end_minute": 15 * 60 + 30,
        "raw_minutes": 510,
        "break_minutes": 30,
        "flags": 0,
        "is_correction": False,
    }


def _owner_columns(company_id: str, user_id: str) -> dict[str, Any]:
    return {"company_id": company_id, "id": str(uuid.uuid4()), "user_id": user_id}
