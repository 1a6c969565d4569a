"""Rollouts that were started before wait, as they did; the way back is open."""

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0033_scanners"


def test_a_rollout_that_was_started_before_waits(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO rollouts (id, channel, version, state, stages, stage_days, stage, days, started_at,"
                " looked)"
                " VALUES ('01927a00-52aa-7c11-8f2e-1d0c5b9a7e33', 'stable', '1.6.0', 'done', '[]', 1, 0, 0, 0, 0)"
            )
        )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        assert [bool(one) for one in connection.scalars(text("SELECT at_once FROM rollouts"))] == [False]
        command.downgrade(schema._config(connection), BEFORE)
    with empty.engine.begin() as connection:
        assert "at_once" not in {column["name"] for column in inspect(connection).get_columns("rollouts")}
