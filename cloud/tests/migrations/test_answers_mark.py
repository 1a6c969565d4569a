"""Clocks whose people answered before have no mark yet; the way back is open."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0036_company_ends"


def test_marks_come_empty_and_go_again(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        found = text("SELECT count(*) FROM device_leases WHERE answers_mark IS NOT NULL")
        assert connection.execute(found).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert "answers_mark" not in {one["name"] for one in inspect(connection).get_columns("device_leases")}
