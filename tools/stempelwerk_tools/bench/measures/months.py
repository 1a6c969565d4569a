"""A month of times: an employee's as JSON and a company's as values, beside the ORM with a response model.

Both ways read the same rows of the same database in turns, on one session. The other way is what FastAPI makes of
mapped objects: load them, name the clock, validate them into the response model, serialize that.
"""

from __future__ import annotations

import json
import statistics
import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute, serialize_response
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import Device
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.office.account.service import of_months
from stempelwerk_cloud.people.directory.tables import CompanySetting
from stempelwerk_cloud.planning.facts import hours
from stempelwerk_cloud.timekeeping.entries.schemas import TimeEntryRow
from stempelwerk_cloud.timekeeping.entries.service import EntryValue, of_company
from stempelwerk_cloud.timekeeping.entries.tables import PersonNumber, TimeEntry
from stempelwerk_cloud.timekeeping.entries.times import times_json
from stempelwerk_cloud.timekeeping.words import FLAGS, flag_words

from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_least, at_most
from stempelwerk_tools.bench.measures.rates import NEW
from stempelwerk_tools.bench.pairs import in_turns
from stempelwerk_tools.bench.sides.side import Void

_ENOUGH = 30  # entries in the month
_FILL_S = 1.5
_PEOPLE = 200
_BEGUN, _YEARS = 2005, 8  # before all others of these entries
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MISSING_OUT = 1 << FLAGS.index("missing_out")  # these taps are years old: what is open is not running


def measure(field: Field, slices: int) -> list[Finding]:
    """The median of the slices' ratios. Raises Void if the two ways do not give the same entries."""
    product, installed = field.product()
    database = Database(installed.database_url, pool_size=2)
    try:
        while (found := _fullest(database))[3] < _ENOUGH:
            product.slice(NEW, _FILL_S)
        company, user, first, count = found
        last = first + timedelta(days=30)
        now = datetime.now(UTC)
        with database.read(SYSTEM) as session:

            def written() -> bytes:
                return times_json(session, company, user, first, last, now)

            def mapped() -> bytes:
                return _mapped(session, company, user, first, last)

            if json.loads(written()) != json.loads(mapped()):
                raise Void("an employee's month: the two ways give different entries")
            times = in_turns(written, mapped, slices)
        whole = _of_company(field, database, slices)
        account = _of_account(field, database, (company, user), slices)
    finally:
        database.dispose()
    return [_finding(field, f"an employee's month of {count} entries", "an employee's month", times), whole, account]


def _finding(field: Field, what: str, name: str, times: list[tuple[float, float]]) -> Finding:
    own = statistics.median(own for own, _ in times)
    field.say(f"{what}: {own * 1000:.2f} ms")
    ratio = statistics.median(other / own for own, other in times)
    return Finding(f"{name} against the ORM with a response model", at_least(6), ratio)


def _of_company(field: Field, database: Database, slices: int) -> Finding:
    """A company's month of so many people, which is put there directly. Raises Void."""
    company, first = str(uuid.uuid4()), date(2025, 3, 1)
    last, now = first + timedelta(days=30), datetime.now(UTC)
    with database.write(SYSTEM) as session:
        count = _fill(session, company, first)
    with database.read(SYSTEM) as session:

        def valued() -> list[EntryValue]:
            return list(of_company(session, company, first, last, now))

        def mapped() -> bytes:
            return _mapped(session, company, None, first, last)

        if {value.id for value in valued()} != {row["id"] for row in json.loads(mapped())}:
            raise Void("a company's month: the two ways give different entries")
        times = in_turns(valued, mapped, slices, repeats=1)
    return _finding(field, f"a company's month of {_PEOPLE} people, {count} entries", "a company's month", times)


def _of_account(field: Field, database: Database, whose: tuple[str, str], slices: int) -> Finding:
    """An account of a year beside one of a month, of somebody with years of entries and a weekly target."""
    company, user = whose
    with database.write(SYSTEM) as session:
        first = _fill_years(session, company, user)
    last, today = date(first.year, 12, 31), date(first.year + 1, 1, 1)
    with database.read(SYSTEM) as session:

        def a_month() -> object:
            return of_months(session, company, user, date(first.year, 11, 1), date(first.year, 11, 30), today)

        def a_year() -> object:
            return of_months(session, company, user, first, last, today)

        times = in_turns(a_month, a_year, slices)
    month, year = (statistics.median(each) for each in zip(*times, strict=True))
    field.say(f"an account of a month after {_YEARS} years: {month * 1000:.2f} ms, of a year: {year * 1000:.2f} ms")
    ratio = statistics.median(year / month for month, year in times)
    return Finding("an account of a year against one of a month", at_most(3), ratio)


def _fill_years(session: Session, company: str, user: str) -> date:
    """Two entries on each working day of years that are over, and what is due then; the first day of the last."""
    said = {hours.MODE.name: "uniform", hours.UNIFORM_MINUTES.name: 2400}
    rows = [
        {"company_id": company, "setting": name, "valid_from": date.min, "value": json.dumps(value), "set_at": _EPOCH}
        for name, value in said.items()
    ]
    session.execute(insert(CompanySetting), rows)
    number = session.scalar(
        select(PersonNumber.no).where(PersonNumber.company_id == company, PersonNumber.user_id == user)
    )
    begun = date(_BEGUN, 1, 1)
    days = [begun + timedelta(days=n) for n in range(365 * _YEARS + _YEARS // 4)]
    working = [day for day in days if day.weekday() < 5]
    session.execute(insert(TimeEntry), [_entry(company, number or 0, day, hour) for day in working for hour in (6, 11)])
    return date(days[-1].year, 1, 1)


def _fill(session: Session, company: str, first: date) -> int:
    """Two entries a person on each working day."""
    device_no = session.scalar(select(func.min(Device.no)))
    numbers = range(1_000_000, 1_000_000 + _PEOPLE)
    session.execute(
        insert(PersonNumber), [{"company_id": company, "user_id": str(uuid.uuid4()), "no": no} for no in numbers]
    )
    days = [day for day in (first + timedelta(days=n) for n in range(31)) if day.weekday() < 5]
    entries = [_entry(company, no, day, hour, device_no) for no in numbers for day in days for hour in (6, 11)]
    session.execute(insert(TimeEntry), entries)
    return len(entries)


def _entry(company: str, person_no: int, day: date, hour: int, device_no: int | None = None) -> dict[str, Any]:
    """Four hours from a full hour on."""
    begun = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
    return {
        "company_id": company,
        "person_no": person_no,
        "date": day,
        "id": str(uuid.uuid4()),
        "start_at": begun,
        "end_at": begun + timedelta(hours=4),
        "device_no": device_no,
        "start_minute": (hour + 1) * 60,
        "end_minute": (hour + 5) * 60,
        "raw_minutes": 240,
        "break_minutes": 0,
        "flags": 0,
        "is_correction": False,
    }


def _fullest(database: Database) -> tuple[str, str, date, int]:
    """Whose month has the most entries: company, user, the first of 31 days, how many."""
    with database.read(SYSTEM) as session:
        person = session.execute(
            select(TimeEntry.person_no, func.min(TimeEntry.date), func.count())
            .group_by(TimeEntry.person_no)
            .order_by(func.count().desc())
            .limit(1)
        ).one_or_none()
        if person is None:
            return "", "", date.min, 0
        number, first, _ = person
        first += timedelta(days=1)
        days = TimeEntry.date.between(first, first + timedelta(days=30))
        count = session.scalar(select(func.count()).where(TimeEntry.person_no == number, days))
        who = session.execute(select(PersonNumber).where(PersonNumber.no == number)).scalar_one()
        return who.company_id, who.user_id, first, count or 0


def _shown(entry: TimeEntry, clock_name: str | None) -> dict[str, Any]:
    raw, pause = entry.raw_minutes, entry.break_minutes
    return {
        "id": entry.id,
        "date": entry.date,
        "start": _hhmm(entry.start_minute),
        "end": _hhmm(entry.end_minute),
        "running": False,
        "break_minutes": pause,
        "worked_minutes_raw": raw,
        "worked_minutes_net": None if raw is None else raw - (pause or 0),
        "source": "correction" if entry.is_correction else "clock",
        "flags": flag_words(entry.flags | (_MISSING_OUT if entry.end_at is None else 0)),
        "clock_name": clock_name,
    }


def _hhmm(minute: int | None) -> str | None:
    return None if minute is None else f"{minute // 60:02d}:{minute % 60:02d}"


def _never() -> list[TimeEntryRow]:
    """The call that the response model belongs to."""
    raise AssertionError("is not called")


_app = FastAPI()
_app.get("/month")(_never)
_route = next(route for route in _app.routes if isinstance(route, APIRoute) and route.path == "/month")


def _mapped(session: Session, company: str, user: str | None, first: date, last: date) -> bytes:
    """Of one person, or of everybody."""
    session.expunge_all()  # a request begins without objects
    began = func.coalesce(TimeEntry.start_at, TimeEntry.end_at)
    called = devices.name_at(TimeEntry.company_id, TimeEntry.device_no, began)
    found = (
        select(TimeEntry, func.coalesce(func.nullif(called, ""), Device.serial))
        .join(
            PersonNumber,
            (PersonNumber.company_id == TimeEntry.company_id) & (PersonNumber.no == TimeEntry.person_no),
        )
        .outerjoin(Device, Device.no == TimeEntry.device_no)
        .where(PersonNumber.company_id == company, TimeEntry.date.between(first, last))
        .order_by(PersonNumber.user_id, began, TimeEntry.id)
    )
    if user is not None:
        found = found.where(PersonNumber.user_id == user)
    shown = [_shown(entry, clock_name) for entry, clock_name in session.execute(found)]
    serializing = serialize_response(
        field=_route.response_field, response_content=shown, is_coroutine=True, dump_json=True
    )
    try:
        serializing.send(None)
    except StopIteration as done:
        return bytes(done.value)
    raise AssertionError("serializing does not wait for anything")
