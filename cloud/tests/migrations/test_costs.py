"""Rates come with the release that knows them, and go with it."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0022_taking_back"


def test_rates_come_empty_and_go_again(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert connection.execute(text("SELECT count(*) FROM compensation_values")).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert "compensation_values" not in inspect(connection).get_table_names()
