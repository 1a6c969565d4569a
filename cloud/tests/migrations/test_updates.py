"""The repository of updates begins empty, and goes with the way back."""

from alembic import command
from sqlalchemy import inspect
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0029_support"
TABLES = {"update_metadata", "update_releases", "update_targets"}


def test_the_tables_come_and_go(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert set(inspect(connection).get_table_names()) >= TABLES
        command.downgrade(schema._config(connection), BEFORE)
    with empty.engine.begin() as connection:
        assert not TABLES & set(inspect(connection).get_table_names())
