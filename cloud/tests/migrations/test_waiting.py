"""An older release's stamps and entries that wait are found after the migration, in the order of their lists."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text
from stempelwerk_cloud.kit import schema
from stempelwerk_cloud.kit.db import Database, from_ms
from stempelwerk_cloud.kit.scopes import HOUSE
from stempelwerk_cloud.timekeeping.entries import review
from stempelwerk_cloud.timekeeping.stamps import waiting

from cloud.tests.migrations.standing import leave_at

NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)
DAY_MS = 86_400_000
COMPANY, ANNA = (str(uuid.UUID(int=n)) for n in (0xC, 0xA))


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
    """Of eight stamps every second one waits; of eight entries one is flagged, and two were left open."""
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
    with empty.read(HOUSE) as tx:
        held = waiting.of_company(tx, COMPANY)
        assert [(row.id, row.taken_at) for row in held.rows] == [(_id(n), from_ms(1000 - n)) for n in (7, 5, 3, 1)]
    for _ in range(2):
        with empty.read(HOUSE) as tx:
            rows, following = review.page(tx, COMPANY, NOW, 10, None)
        told = [(row.entry_id, row.username, row.flags) for row in rows]
        assert told == [
            (_id(n), "anna", [flag]) for n, flag in ((5, "missing_out"), (3, "long_entry"), (2, "missing_out"))
        ]
        assert following is None
        with empty.write(HOUSE) as tx:
            review.sweep(tx, NOW)
    with empty.read(HOUSE) as tx:
        assert tx.execute(text("SELECT revision, CAST(swept_to AS text) FROM derivation_revisions")).all() == [
            (8, "2026-11-17")
        ]
