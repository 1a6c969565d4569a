"""Corrections of an older release keep the shift that they concern or created."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

from alembic import command
from sqlalchemy import Connection, text
from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.timekeeping.ledger.decisions import decisions_of

from cloud.tests.migrations.standing import leave_at

COMPANY, ANNA, BEN = (str(uuid.UUID(int=n)) for n in (0xC, 0xA, 0xB))
DECIDED = datetime(2026, 11, 30, 8, tzinfo=UTC)
TAPS = {
    ANNA: {  # the company is in Lisbon, where local time is UTC
        1: "2026-11-16 08:00",
        2: "2026-11-16 12:00",
        3: "2026-11-16 13:00",
        4: "2026-11-16 17:00",
        5: "2026-11-18 05:00",
        6: "2026-11-18 07:00",
        7: "2026-11-18 16:00",
        8: "2026-11-18 20:00",
        9: "2026-11-20 23:30",
        10: "2026-11-21 03:00",
    },
    BEN: {11: "2026-11-16 08:00", 12: "2026-11-16 16:00"},
}
CORRECTIONS: list[tuple[int, str, str, str, str | None]] = [
    (101, ANNA, "2026-11-16 09:00", "2026-11-16 17:00", str(uuid.UUID(int=3))),
    (102, ANNA, "2026-11-18 12:00", "2026-11-18 16:00", None),
    (103, ANNA, "2026-11-20 22:00", "2026-11-21 02:00", None),
    (104, ANNA, "2026-11-24 09:00", "2026-11-24 13:00", None),
    (105, ANNA, "2026-11-24 09:00", "2026-11-24 12:00", None),
    (106, BEN, "2026-11-18 08:00", "2026-11-18 16:00", None),
]


def _id(n: int) -> str:
    return str(uuid.UUID(int=n))


def _at(local: str) -> datetime:
    return datetime.fromisoformat(local).replace(tzinfo=UTC)


def _put(connection: Connection, table: str, **row: Any) -> None:
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), row)


def _leave(connection: Connection) -> None:
    _put(connection, "companies", id=COMPANY, name="A", name_key="a", is_operator=False, created_at=0)
    zone = {"setting": "time_zone", "valid_from": "2026-01-01", "value": '"Europe/Lisbon"', "set_at": 0}
    _put(connection, "company_settings", company_id=COMPANY, **zone)
    clock = {"claim_code": "X", "serial": "SW-1", "hardware_id": "", "mac": "", "profile": "", "version": ""}
    clock |= {"label": "", "label_notes": "", "channel": "stable", "identity_conflict": False, "enrolled_at": 0}
    _put(connection, "devices", no=1, id=_id(1), keyid="k", public_key=b"k", **clock)
    _put(connection, "streams", no=1, device_no=1, boot_no=1, epoch=_id(1))
    fact = {"stream_no": 1, "boottime_ms": 0, "received_at": 0, "waits": False, "unsettled": False, "status": 0}
    for no, (user, taps) in enumerate(TAPS.items(), start=1):
        secret = {"password_hash": "x", "role": "user", "is_locked": False, "created_at": 0}
        _put(connection, "users", company_id=COMPANY, id=user, username=f"u{no}", username_key=f"u{no}", **secret)
        held = {"company_id": COMPANY, "tag": f"04{no}"}
        _put(connection, "tag_holdings", id=_id(no), user_id=user, held_from=None, held_until=None, **held)
        _put(connection, "tag_numbers", no=no, **held)
        for n, local in taps.items():
            tap = {"at": ms_of(_at(local)), "seq": n, "reported_bits": 0, "tag_no": no}
            _put(connection, "stamps", company_id=COMPANY, id=_id(n), **fact, **tap)
    for n, user, start, end, entry in CORRECTIONS:
        decided = ms_of(DECIDED + timedelta(minutes=n))
        bounds = {"date": start[:10], "new_start": ms_of(_at(start)), "new_end": ms_of(_at(end)), "entry_id": entry}
        when = {"requested_at": decided, "decided_at": decided}
        _put(connection, "corrections", company_id=COMPANY, id=_id(n), user_id=user, **bounds, **when)


def test_each_keeps_the_shift_that_it_concerns_or_that_it_made_one(empty: Database) -> None:
    leave_at(empty, "0012_changed_duties")
    with empty.engine.begin() as connection:
        _leave(connection)
    schema.migrate(empty)
    with empty.read(SYSTEM) as tx:
        found = {user: decisions_of(tx, COMPANY, user).corrections for user in TAPS}
    told = {one.id: one for user in TAPS for one in found[user]}
    assert {id_: one.shift for id_, one in told.items()} == {
        _id(101): _id(1),  # by the entry that it named
        _id(102): _id(7),  # of two shifts the one that its bounds touch, as it was until now
        _id(103): _id(9),  # the only one of its day
        _id(104): None,
        _id(105): _id(104),  # the one that an older correction made
        _id(106): None,
    }
    assert told[_id(103)].shift_at == _at("2026-11-20 23:30")
    assert told[_id(105)].date == date(2026, 11, 24)


def test_the_way_back_names_the_shift_by_an_entry_of_it(empty: Database) -> None:
    leave_at(empty, "0012_changed_duties")
    with empty.engine.begin() as connection:
        _leave(connection)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        command.downgrade(schema._config(connection), "0012_changed_duties")
        found = connection.execute(text("SELECT CAST(entry_id AS text) FROM corrections ORDER BY id")).scalars().all()
    assert found == [_id(1), _id(7), _id(9), None, _id(104), None]
