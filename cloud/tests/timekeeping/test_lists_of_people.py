"""The cost of a clock's list of people: an entry of each person, however many years of entries there are, on both
databases.
"""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.dated import DEFAULTS
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.timekeeping.ledger.tables import PersonNumber, TimeEntry
from stempelwerk_cloud.timekeeping.times import clock_people

from cloud.tests.settable_clock import START
from cloud.tests.stamping import ANNA, MORNING, Site, hours
from cloud.tests.world import Firm

FEW, MANY = 20, 400
LONG_AGO = START - timedelta(days=60)
CLOCK = str(uuid.UUID(int=1))


def _entry(company_id: str, person_no: int, n: int) -> dict[str, Any]:
    """One a day, the newest first."""
    start = ms_of(LONG_AGO - timedelta(days=n))
    return {
        "company_id": company_id,
        "person_no": person_no,
        "date": from_ms(start).date(),
        "id": str(uuid.UUID(int=start << 80 | person_no)),
        "start_at": from_ms(start),
        "end_at": from_ms(start + 3_600_000),
        "raw_minutes": 60,
        "break_minutes": 0,
        "flags": 0,
        "is_correction": False,
    }


def _leave_work(platform: Platform, owner: Database, firm: Firm, days: range) -> None:
    with platform.database.write(SYSTEM) as tx:
        nos = tx.scalars(select(PersonNumber.no).where(PersonNumber.company_id == firm.id)).all()
        tx.execute(insert(TimeEntry), [_entry(firm.id, no, n) for no in nos for n in days])
    with owner.engine.begin() as connection:
        connection.execute(text("ANALYZE"))


@contextmanager
def work(session: Session) -> Iterator[Callable[[], int]]:
    """Measures the work of the database: rows that PostgreSQL takes from the entries, steps of SQLite's machine."""
    if session.get_bind().dialect.name == "postgresql":
        statement = text(
            "SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int"
            " FROM pg_class WHERE relname = 'pk_entries' OR relname = 'entries'"
        )
        count_before = session.execute(
            statement
        ).scalar_one()  # the connection's last transaction may not have been filed yet
        yield lambda: session.execute(statement).scalar_one() - count_before
        return
    driver: Any = session.connection().connection.driver_connection
    steps = [0]

    def step() -> int:
        steps[0] += 1
        return 0

    driver.set_progress_handler(step, 1)
    yield lambda: steps[0]
    driver.set_progress_handler(None, 1)


def _cost_of_a_list(platform: Platform, firm: Firm) -> int:
    with platform.database.read(DEVICES) as tx, work(tx) as done:
        company = clock_people.Company(firm.id, (None, 0), DatedRules([(None, Rules())]), DEFAULTS)
        current = clock_people.revision(CLOCK, CLOCK, company.newest, company.rules, START, hours=True)
        people, _ = clock_people.read_list(
            tx, platform, clock_people.ListRequest(company, current, None, START.date()), START
        )
        assert {person["state"] for person in people} == {"out"}
        return done()


def test_a_list_takes_no_more_work_for_years_that_everybody_was_away_for(
    firm: Firm, platform: Platform, owner: Database
) -> None:
    _leave_work(platform, owner, firm, range(FEW))
    few = _cost_of_a_list(platform, firm)
    _leave_work(platform, owner, firm, range(FEW, MANY))
    assert few > 0
    assert _cost_of_a_list(platform, firm) <= 1.2 * few


def test_whoever_was_last_there_long_ago_is_told_with_the_last_of_their_entries(site: Site) -> None:
    for day in (0, 1):
        taps = [site.device.tap(ANNA, MORNING + timedelta(days=day) + hours(n)) for n in (0, 1, 2, 4)]
        site.clock.set(MORNING + timedelta(days=day) + hours(12))
        site.device.deliver(*taps)
    site.clock.advance(days=40)
    people = site.device.send("GET", "/api/devices/people").json()["people"]
    (anna,) = [person for person in people if person["name"] == "anna"]
    assert (anna["state"], anna["since"]) == ("out", "2026-11-21T10:00:00.000Z")
