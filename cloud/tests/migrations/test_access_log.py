"""Works councils and the log of looks come with the release that knows them, and go with it."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0019_lanes"


def test_whoever_is_there_is_of_no_works_council(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO companies (id, name, name_key, is_operator, created_at)"
                " VALUES ('0190a1b2-c3d4-7e5f-8a9b-000000000001', 'F', 'f', false, 0)"
            )
        )
        connection.execute(
            text(
                "INSERT INTO users (company_id, id, username, username_key, password_hash, role, is_locked, created_at)"
                " VALUES ('0190a1b2-c3d4-7e5f-8a9b-000000000001', '0190a1b2-c3d4-7e5f-8a9b-000000000002',"
                " 'anna', 'anna', '', 'user', false, 0)"
            )
        )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert not connection.execute(text("SELECT works_council FROM users")).scalar_one()
        assert connection.execute(text("SELECT count(*) FROM access_looks")).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert "access_looks" not in inspect(connection).get_table_names()
        assert connection.execute(text("SELECT username FROM users")).scalar_one() == "anna"
