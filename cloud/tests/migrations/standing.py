"""Databases as an older release left them, for the tests of migrations."""

from sqlalchemy import Connection, inspect
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.kit.database import row_security, schema
from stempelwerk_cloud.kit.database.transactions import Database


def leave_at(database: Database, revision: str) -> None:
    """Migrates an empty database down to an older revision, with the row-level security of that time."""
    schema.prepare(database)
    with database.engine.begin() as connection:
        schema.upgrade(connection, revision)
        if database.dialect == "postgresql":
            _wall(connection)


def _wall(connection: Connection) -> None:
    there = set(inspect(connection).get_table_names())
    for table in metadata().sorted_tables:
        if table.name in there:
            for line in row_security._around(table):
                connection.exec_driver_sql(line, execution_options={"no_parameters": True})
