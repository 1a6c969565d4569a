"""The schema: keyed by company, and the migrations produce the declared tables, on both databases."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import ForeignKeyConstraint, PrimaryKeyConstraint, Table, UniqueConstraint, inspect, text
from stempelwerk_cloud.app import metadata
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.databases import ON_BOTH

pytestmark = ON_BOTH

TENANT_TABLES = [table for table in metadata().sorted_tables if "company_id" in table.columns]


def test_there_are_tenant_tables() -> None:
    assert {"users", "tag_holdings", "web_sessions", "company_settings"} <= {table.name for table in TENANT_TABLES}


@pytest.mark.parametrize("table", TENANT_TABLES, ids=lambda table: table.name)
def test_a_tenant_table_is_keyed_by_company_first(table: Table) -> None:
    assert next(iter(table.primary_key.columns)).name == "company_id"
    assert not table.columns["company_id"].nullable
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint | PrimaryKeyConstraint):
            assert next(iter(constraint.columns)).name == "company_id", constraint.name
        if isinstance(constraint, ForeignKeyConstraint) and "company_id" in constraint.referred_table.columns:
            assert "company_id" in constraint.column_keys, constraint.name
    for index in table.indexes:
        if index.unique:
            assert next(iter(index.columns)).name == "company_id", index.name


def test_the_migrated_schema_is_the_one_that_the_tables_describe(empty: Database) -> None:
    schema.migrate(empty)
    with empty.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata()) == []


def test_indexes_and_their_conditions_are_migrated_too(empty: Database) -> None:
    schema.migrate(empty)
    migrated = _indexes(empty)
    with empty.engine.begin() as connection:
        schema.downgrade(connection)
        metadata().create_all(connection)
    assert migrated == _indexes(empty)
    assert any("WHERE" in line for line in migrated)


def _indexes(database: Database) -> set[str]:
    catalogue = (
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        if database.dialect == "sqlite"
        else "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
    )
    with database.read(SYSTEM) as session:
        return {" ".join(line.replace('"', "").split()) for line in session.execute(text(catalogue)).scalars()}


def test_migrating_twice_changes_nothing(empty: Database) -> None:
    assert schema.current(empty) is None
    schema.migrate(empty)
    schema.migrate(empty)
    assert schema.current(empty) == schema.head()


def test_going_down_leaves_an_empty_database(empty: Database) -> None:
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        schema.downgrade(connection)
    with empty.engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) <= {"alembic_version"}
