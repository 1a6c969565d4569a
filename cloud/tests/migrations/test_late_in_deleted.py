"""A stamp that an older release skipped because its time was deleted is held and visible."""

import uuid
from typing import Any

from alembic import command
from sqlalchemy import Connection, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.timekeeping.status_bits import CLOCK, DISCARDED, reason_number

from cloud.tests.migrations.standing import leave_at

COMPANY = str(uuid.UUID(int=0xC))
LATE, VOIDED, TAPPED_TWICE = (reason_number(reason) for reason in ("voided_late", "voided", "double_tap"))
STATUSES = {
    LATE: (False, True),
    LATE | CLOCK: (True, True),
    LATE | DISCARDED: (False, False),
    VOIDED: (False, False),
    TAPPED_TWICE: (False, False),
    CLOCK: (True, True),
    0: (False, False),
}
"""Whether a stamp of that status waited before the migration, and whether it does after it."""


def _leave(connection: Connection) -> None:
    for n, (status, (waits, _)) in enumerate(STATUSES.items()):
        row: dict[str, Any] = {"company_id": COMPANY, "tag_no": 1, "stream_no": 1, "at": n, "id": str(uuid.UUID(int=n))}
        row |= {"boottime_ms": 0, "seq": n, "received_at": 0, "reported_bits": 0, "status": status}
        row |= {"waits": waits, "unsettled": False}
        values = ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO stamps ({', '.join(row)}) VALUES ({values})"), row)


def _waiting(connection: Connection) -> dict[int, bool]:
    return {status: bool(waits) for status, waits in connection.execute(text("SELECT status, waits FROM stamps"))}


def test_what_came_late_into_a_deleted_time_waits(empty: Database) -> None:
    leave_at(empty, "0013_settled_corrections")
    with empty.engine.begin() as connection:
        _leave(connection)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert _waiting(connection) == {status: after for status, (_, after) in STATUSES.items()}
        command.downgrade(schema._config(connection), "0013_settled_corrections")
        assert _waiting(connection) == {status: before for status, (before, _) in STATUSES.items()}
