"""A standing log stays as it is: only of a company with a tombstone may entries go, and not before this release."""

import pytest
from alembic import command
from sqlalchemy import inspect, text
from sqlalchemy.exc import DatabaseError
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0034_rollouts_at_once"
KEPT, GONE = (f"0190a1b2-c3d4-7e5f-8a9b-00000000000{number}" for number in (1, 2))
TABLES = {"tombstones", "buried_assignments", "company_archives", "purged_times"}


def test_entries_go_with_a_tombstone_alone_and_the_way_back_is_shut_again(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        for company in (KEPT, GONE):
            connection.execute(
                text(
                    "INSERT INTO companies (id, name, name_key, is_operator, created_at, closed_at)"
                    f" VALUES ('{company}', 'F', 'f', false, 0, 1)"
                )
            )
            connection.execute(
                text(
                    "INSERT INTO audit_entries (company_id, no, id, at, action, hash)"
                    f" VALUES ('{company}', 1, '{company}', 0, 'company.created', :hash)"
                ),
                {"hash": b"0" * 32},
            )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        connection.execute(
            text(f"INSERT INTO tombstones (company_id, purged_at, content) VALUES ('{GONE}', 0, :c)"), {"c": b"{}"}
        )
        connection.execute(text(f"DELETE FROM audit_entries WHERE company_id = '{GONE}'"))
        assert [str(one) for one in connection.scalars(text("SELECT company_id FROM audit_entries"))] == [KEPT]
    with pytest.raises(DatabaseError, match="what is written stays"), empty.engine.begin() as connection:
        connection.execute(text("DELETE FROM audit_entries"))
    with empty.engine.begin() as connection:
        command.downgrade(schema._config(connection), BEFORE)
        assert TABLES.isdisjoint(inspect(connection).get_table_names())
    with pytest.raises(DatabaseError, match="what is written stays"), empty.engine.begin() as connection:
        connection.execute(text("DELETE FROM audit_entries"))
