"""An older release's stamps and entries that wait are found after the migration, in the order of their lists."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, text
from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.timekeeping.status_bits import LEFT_OPEN
from stempelwerk_cloud.timekeeping.times.held import waiting
from stempelwerk_cloud.timekeeping.times.review import review

from cloud.tests.migrations.standing import leave_at

NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)
DAY_MS = 86_400_000
COMPANY, OTHER, ANNA = (str(uuid.UUID(int=n)) for n in (0xC, 0xD, 0xA))
FLAG = 4


def _id(n: int) -> str:
    return str(uuid.UUID(int=n))


def _put(connection: Connection, table: str, **row: Any) -> None:
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), row)


def _people_an_office(connection: Connection) -> None:
    company = {"id": COMPANY, "name": "Ahorn", "name_key": "ahorn", "is_operator": False, "created_at": 0}
    _put(connection, "companies", **company)
    secret = {"password_hash": "x", "role": "user", "is_locked": False, "created_at": 0}
    _put(connection, "users", company_id=COMPANY, id=ANNA, username="anna", username_key="anna", **secret)
    _put(connection, "person_numbers", company_id=COMPANY, user_id=ANNA, no=1)
    _put(connection, "derivation_revisions", company_id=COMPANY, revision=7)
    clock = {"claim_code": "X", "serial": "SW-1", "hardware_id": "", "mac": "", "profile": "", "version": ""}
    clock |= {"name": "Halle", "notes": "", "channel": "stable", "identity_conflict": False, "enrolled_at": 0}
    _put(connection, "devices", no=1, id=_id(1), keyid="k", public_key=b"k", **clock)
    _put(connection, "streams", no=1, device_no=1, boot_no=1, epoch=_id(1))
    _put(connection, "tag_numbers", company_id=COMPANY, tag="04FF", no=1)


def _leave_work(connection: Connection) -> None:
    """Creates eight stamps, every second one waiting, and eight entries, one flagged and two left open."""
    fact = {"company_id": COMPANY, "tag_no": 1, "stream_no": 1, "boottime_ms": 0, "received_at": 0, "form": 0}
    for n in range(8):
        state = {"standing": 8 * (n % 2), "waits": n % 2 == 1, "unsettled": False}
        _put(connection, "stamps", id=_id(n), at=1000 - n, seq=n, **fact, **state)
        start = 1_790_000_000_000 + n * DAY_MS
        span = {"start_at": start, "end_at": None if n in {2, 5} else start + 1, "flags": 4 * (n == 3)}
        day = date.fromisoformat("2026-09-21") + timedelta(days=n)
        whose = {"company_id": COMPANY, "person_no": 1, "date": day.isoformat(), "is_correction": False}
        _put(connection, "entries", id=_id(n), **whose, **span)


def test_what_waits_in_an_older_database_is_listed_by_the_new_one(empty: Database) -> None:
    leave_at(empty, "0003_audit")
    with empty.engine.begin() as connection:
        _people_an_office(connection)
        _leave_work(connection)
    schema.migrate(empty)
    with empty.read(SYSTEM) as tx:
        held = waiting.of_company(tx, COMPANY)
        assert [(row.id, row.taken_at) for row in held.rows] == [(_id(n), from_ms(1000 - n)) for n in (7, 5, 3, 1)]
        rows, following = review.page(tx, COMPANY, NOW, 10, None)
    told = [(row.entry_id, row.username, row.flags) for row in rows]
    assert told == [(_id(n), "anna", [flag]) for n, flag in ((5, "missing_out"), (3, "long_entry"), (2, "missing_out"))]
    assert following is None


def _leave_a_fortnight(connection: Connection, company: str, today: date) -> None:
    """Creates a fortnight of a person who forgets Gehen every second day; entries of odd days are flagged."""
    for n in range(14):
        day = today - timedelta(days=n)
        whose = {"company_id": company, "person_no": 1, "date": day.isoformat(), "is_correction": False}
        start = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
        end, flags = (None if n % 2 else start + 1), FLAG if n % 3 else 0
        _put(connection, "entries", id=_id(n), **whose, start_at=start, end_at=end, flags=flags)


def _marked(connection: Connection, company: str) -> dict[date, bool]:
    """Returns for each day without an end whether it is marked. Flags are unchanged."""
    found = {}
    asked = text("SELECT CAST(id AS text), CAST(date AS text), end_at, flags FROM entries WHERE company_id = :company")
    for id_, day, end_at, flags in connection.execute(asked, {"company": company}):
        assert flags & ~LEFT_OPEN == (FLAG if uuid.UUID(id_).int % 3 else 0)
        assert end_at is None or flags & LEFT_OPEN == 0
        if end_at is None:
            found[date.fromisoformat(day)] = flags & LEFT_OPEN != 0
    return found


def _swept_to(connection: Connection) -> dict[str, tuple[int, date]]:
    asked = text("SELECT CAST(company_id AS text), revision, CAST(swept_to AS text) FROM derivation_revisions")
    return {company: (revision, date.fromisoformat(day)) for company, revision, day in connection.execute(asked)}


@pytest.fixture
def left(empty: Database) -> Database:
    """An older release's database with what two companies left open up to today."""
    leave_at(empty, "0003_audit")
    today = datetime.now(UTC).date()
    with empty.engine.begin() as connection:
        for company, revision in ((COMPANY, 7), (OTHER, 1)):
            _put(connection, "derivation_revisions", company_id=company, revision=revision)
            _leave_a_fortnight(connection, company, today)
    return empty


def test_what_was_left_open_is_marked_by_the_migration_in_every_company(left: Database) -> None:
    before = datetime.now(UTC)
    schema.migrate(left)
    after = datetime.now(UTC)
    with left.engine.begin() as connection:
        told = _swept_to(connection)
        assert {company: revision for company, (revision, _) in told.items()} == {COMPANY: 8, OTHER: 2}
        for company, (_, swept_to) in told.items():
            assert swept_to in {(now - review.LOOKED_THROUGH).date() for now in (before, after)}
            marked = _marked(connection, company)
            assert marked == {day: day < swept_to for day in marked}
            assert set(marked.values()) == {True, False}


def test_a_sweep_finds_nothing_to_do_after_the_migration(left: Database) -> None:
    schema.migrate(left)
    with left.engine.begin() as connection:
        before = (_swept_to(connection), _marked(connection, COMPANY))
        (_, swept_to) = before[0][COMPANY]
    with left.write(SYSTEM) as tx:
        assert not review.sweep(tx, datetime(*swept_to.timetuple()[:3], 23, tzinfo=UTC) + review.LOOKED_THROUGH)
    with left.engine.begin() as connection:
        assert (_swept_to(connection), _marked(connection, COMPANY)) == before


def test_the_migration_takes_its_marks_away_again(left: Database) -> None:
    schema.migrate(left)
    with left.engine.begin() as connection:
        command.downgrade(schema._config(connection), "0005_name_keys")
        for company in (COMPANY, OTHER):
            assert not any(_marked(connection, company).values())
