"""A clock withdrawn before the migration shows since when and why; the migration can be reverted."""

import uuid

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0022_taking_back"


def test_a_clock_that_was_revoked_stays_revoked(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        for number, revoked_at in ((1, 1000), (2, None)):
            row = {"id": str(uuid.UUID(int=number)), "keyid": str(number), "key": b"", "no": False, "at": revoked_at}
            connection.execute(
                text(
                    "INSERT INTO devices (id, keyid, public_key, claim_code, serial, hardware_id, mac, profile,"
                    " version, label, label_notes, channel, identity_conflict, enrolled_at, revoked_at) VALUES"
                    " (:id, :keyid, :key, '', '', '', '', '', '', '', '', 'stable', :no, 0, :at)"
                ),
                row,
            )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        found = connection.execute(text("SELECT withdrawn, withdrawn_why FROM devices ORDER BY no")).all()
        assert [tuple(row) for row in found] == [("revoked", ""), (None, "")]
        command.downgrade(schema._config(connection), BEFORE)
    with empty.engine.begin() as connection:
        assert not {"device_moments", "device_predecessors"} & set(inspect(connection).get_table_names())
