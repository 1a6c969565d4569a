"""A person whose exit preceded the column has a login that ends with that day."""

import uuid
from datetime import UTC, datetime

from alembic import command
from sqlalchemy import text
from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0016_free_days"
COMPANY = str(uuid.UUID(int=0xC))
LEAVES, STAYS, RETURNED = (str(uuid.UUID(int=n)) for n in range(1, 4))
FIRST = "0001-01-01"
EXITS = {LEAVES: '"2026-12-31"', STAYS: None, RETURNED: "null"}


def test_known_exits_end_logins(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        said = {"id": COMPANY, "name": "Firma", "op": False}
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at) VALUES (:id, :name, :name, :op, 0)"
            ),
            said,
        )
        for user_id, value in EXITS.items():
            user = {"company": COMPANY, "id": user_id, "name": user_id, "no": False}
            connection.execute(
                text(
                    "INSERT INTO users (company_id, id, username, username_key, password_hash, role, is_locked,"
                    " created_at) VALUES (:company, :id, :name, :name, '-', 'user', :no, 0)"
                ),
                user,
            )
            if value is not None:
                connection.execute(
                    text(
                        "INSERT INTO person_values (company_id, user_id, name, valid_from, value, set_at)"
                        " VALUES (:company, :id, 'exit_date', :first, :value, 0)"
                    ),
                    {"company": COMPANY, "id": user_id, "first": FIRST, "value": value},
                )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        found = {str(row.id): row.leaves_at for row in connection.execute(text("SELECT id, leaves_at FROM users"))}
        assert found == {LEAVES: ms_of(datetime(2026, 12, 31, 23, tzinfo=UTC)), STAYS: None, RETURNED: None}
        command.downgrade(schema._config(connection), BEFORE)
        assert "leaves_at" not in list(connection.execute(text("SELECT * FROM users")).keys())
