"""Alarms come with the release that knows them, and go with it."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0029_support"


def test_alarms_come_empty_and_go_again(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        for table in ("alarms", "alarm_settings"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert not {"alarms", "alarm_settings"} & set(inspect(connection).get_table_names())
