"""Consents come with the release that knows them; whoever was deleted before it has no password from then on."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0022_taking_back"
COMPANY = "0190a1b2-c3d4-7e5f-8a9b-000000000001"


def test_the_password_of_whoever_is_gone_is_gone(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at)"
                f" VALUES ('{COMPANY}', 'F', 'f', false, 0)"
            )
        )
        for number, deleted in ((2, "NULL"), (3, "5")):
            connection.execute(
                text(
                    "INSERT INTO users (company_id, id, username, username_key, password_hash, role, is_locked,"
                    f" created_at, deleted_at) VALUES ('{COMPANY}', '0190a1b2-c3d4-7e5f-8a9b-00000000000{number}',"
                    f" 'u{number}', 'u{number}', 'hash', 'user', false, 0, {deleted})"
                )
            )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        kept = connection.execute(text("SELECT username, password_hash FROM users ORDER BY username")).all()
        assert [tuple(row) for row in kept] == [("u2", "hash"), ("u3", "")]
        command.downgrade(schema._config(connection), BEFORE)
        assert "privacy_consents" not in inspect(connection).get_table_names()
