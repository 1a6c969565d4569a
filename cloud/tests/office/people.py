"""Facts for tests of accounts and statements: targets, employments, worked days, leave, absences."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import text
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory.companies import lock_rules, set_setting_from
from stempelwerk_cloud.people.directory.people import set_person_value
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.tables import Absence, Booking, VacationRequest
from stempelwerk_cloud.timekeeping.ledger.deriving.deciding import correct
from stempelwerk_cloud.timekeeping.tx import MEMORY

from cloud.tests.room import given
from cloud.tests.world import Firm, Somebody, World

ZONE = ZoneInfo("Europe/Berlin")
ALWAYS = date.min


@contextmanager
def deciding(world: World) -> Iterator[UnitOfWork]:
    with world.platform.database.write(SYSTEM) as session:
        yield UnitOfWork(session, world.platform)


def emptied(firm: Firm, tables: str) -> None:
    """Deletes all rows of these tables, named with spaces between, and forgets what was read of them."""
    with deciding(firm.world) as work:
        for table in tables.split():
            work.session.execute(text(f"DELETE FROM {table}"))
        work.session.execute(text("UPDATE derivation_revisions SET revision = revision + 1"))
    MEMORY.pop(firm.world.platform)


def set_weekly(firm: Firm, minutes: int, valid_from: date = ALWAYS) -> None:
    """Sets a weekly target for all people."""
    for name, value in (("hours_mode", '"uniform"'), ("hours_uniform_minutes", str(minutes))):
        set_company(firm, name, value, valid_from)


def set_company(firm: Firm, name: str, value: str, valid_from: date = ALWAYS) -> None:
    with deciding(firm.world) as work:
        set_setting_from(work.session, firm.id, Change(name, valid_from, value), work.now(), None)


def employ(person: Somebody, valid_from: date = ALWAYS, **values: Any) -> None:
    """Stores values of a person's employment."""
    with deciding(person.world) as work:
        now = work.now()
        for name, value in values.items():
            new = Change(name, valid_from, json.dumps(value))
            set_person_value(work.session, person.company_id, person.id, new, now, None)


def worked(
    person: Somebody,
    day: str,
    start: str,
    end: str,
    breaks: int | None = None,
    requested_at: str = "",
    shift: str | None = None,
) -> str:
    """Creates an entry of that day by a correction and returns its id. `requested_at`: the instant of the request, noon
    of the 20th.

    An end that is no later than the start lies on the next day.

    `shift`: the first stamp of the shift that the correction concerns, which surrounds the correction's end; None: the
    correction makes a new shift.
    """
    instant = datetime.fromisoformat(requested_at) if requested_at else datetime(2026, 11, 20, 12, tzinfo=UTC)
    with deciding(person.world) as work:
        work.company(person.company_id)
        lock_rules(work.session, person.company_id)
        on = date.fromisoformat(day)
        end_day = on if start < end else on + timedelta(days=1)
        days = ((on, start), (end_day, end))
        bounds = [datetime.combine(day_of, time.fromisoformat(text), ZONE).astimezone(UTC) for day_of, text in days]
        correction = Correction(
            work.new_id(), on, *bounds, breaks, instant, instant, shift, bounds[1] if shift else None
        )
        correct(work, person.company_id, person.id, correction)
        return correction.id


def on_leave(person: Somebody, first: str, last: str, kind: str = "vacation", **extra: Any) -> None:
    row = {"kind": kind, "status": "approved", "start_date": first, "end_date": last}
    given(person, VacationRequest, **(row | extra))


def away(person: Somebody, *days: str, status: str = "excused") -> None:
    report_id = person.world.platform.ids.new()
    for day in days:
        given(person, Absence, date=day, kind="sick", status=status, report_id=report_id)


def booked(
    person: Somebody, day: str, minutes: int | None, reason: str = "Ausgleich", halves: int | None = None
) -> str:
    return given(person, Booking, date=day, minutes=minutes, vacation_halves=halves, reason=reason)
