"""Lines that clocks wrote before are taken as they are, before the new ones; the way back is open."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0039_exported_mapping"


def test_lines_that_were_kept_before_stand_before_new_ones(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO devices (no, id, keyid, public_key, claim_code, serial, hardware_id, mac, profile,"
                " version, label, label_notes, channel, identity_conflict, enrolled_at, withdrawn_why)"
                " VALUES (1, '01927a00-52aa-7c11-8f2e-1d0c5b9a7e31', 'k', :key, 'c', 's', '', '', '', '',"
                " '', '', 'stable', false, 0, '')"
            ),
            {"key": b"0" * 32},
        )
        connection.execute(
            text(
                "INSERT INTO device_logs (device_no, id, at, received_at, level, code, message)"
                " VALUES (1, '01927a00-52aa-7c11-8f2e-1d0c5b9a7e32', 0, 0, 'info', 'boot', '')"
            )
        )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT code, number FROM device_logs")).all() == [("boot", 0)]
        command.downgrade(schema._config(connection), BEFORE)
        assert "number" not in {column["name"] for column in inspect(connection).get_columns("device_logs")}
