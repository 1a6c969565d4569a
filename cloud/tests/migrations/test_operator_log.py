"""The operator log begins empty, and goes with the way back."""

from alembic import command
from sqlalchemy import inspect
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0047_clock_faults"


def test_the_operator_log_comes_and_goes(empty: Database) -> None:
    leave_at(empty, BEFORE)
    for _ in range(2):
        schema.migrate(empty)
        with empty.engine.begin() as connection:
            assert "operator_log" in inspect(connection).get_table_names()
            command.downgrade(schema._config(connection), BEFORE)
        with empty.engine.begin() as connection:
            assert "operator_log" not in inspect(connection).get_table_names()
