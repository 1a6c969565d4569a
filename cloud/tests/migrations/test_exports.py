"""Exports, locks and the payroll mapping come with the release that knows them, and go with it."""

from alembic import command
from sqlalchemy import inspect
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0022_taking_back"
TABLES = {"exports", "month_locks", "payroll_mappings"}


def test_tables_of_exports_come_and_go(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert set(inspect(connection).get_table_names()) >= TABLES
        command.downgrade(schema._config(connection), BEFORE)
        assert not TABLES & set(inspect(connection).get_table_names())
