"""Clocks keep their reported state through the migration, which can be reverted."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0031_updates"


def test_a_clock_that_was_heard_before_has_no_platform_yet(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO devices (no, id, keyid, public_key, claim_code, serial, hardware_id, mac, profile,"
                " version, label, label_notes, channel, identity_conflict, enrolled_at) VALUES (1,"
                " '01927a00-52aa-7c11-8f2e-1d0c5b9a7e33', 'k', :key, '', '', '', '', '', '', '', '', 'stable', :no, 0)"
            ),
            {"key": b"", "no": False},
        )
        connection.execute(
            text(
                "INSERT INTO device_beats (device_no, seen_at, boot, boottime_ms, wall, quality, ip, mac, profile,"
                " version) VALUES (1, 0, '01927a00-52aa-7c11-8f2e-1d0c5b9a7e33', 1, '', 'ntp', '', '', '', '1.5.0')"
            )
        )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        found = connection.execute(text("SELECT version, platform FROM device_beats")).all()
        assert [tuple(row) for row in found] == [("1.5.0", None)]
        command.downgrade(schema._config(connection), BEFORE)
    with empty.engine.begin() as connection:
        assert not {"rollouts", "rollout_clocks"} & set(inspect(connection).get_table_names())
        assert "platform" not in {column["name"] for column in inspect(connection).get_columns("device_beats")}
