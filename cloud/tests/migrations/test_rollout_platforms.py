"""Rollouts that were started before are for what their versions have; the way back is open."""

import json

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0034_rollouts_at_once"
BOTH = ["cp311-aarch64", "cp311-x86_64"]


def test_a_rollout_that_was_started_before_is_for_the_platforms_of_its_version(empty: Database) -> None:
    leave_at(empty, BEFORE)
    with empty.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO update_releases (channel, version, notes, published_at, reason)"
                " VALUES ('stable', '1.6.0', '', 0, '')"
            )
        )
        for platform in (*BOTH, None):
            connection.execute(
                text(
                    "INSERT INTO update_targets (path, version, channel, platform, sha256, length)"
                    " VALUES (:path, '1.6.0', 'stable', :platform, '', 1)"
                ),
                {"path": f"stable/{platform}", "platform": platform},
            )
        for number, version in enumerate(("1.6.0", "1.7.0")):
            connection.execute(
                text(
                    "INSERT INTO rollouts (id, channel, version, state, stages, stage_days, stage, days, started_at,"
                    " looked) VALUES (:id, 'stable', :version, 'done', '[]', 1, 0, 0, 0, 0)"
                ),
                {"id": f"01927a00-52aa-7c11-8f2e-1d0c5b9a7e3{number}", "version": version},
            )
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        found = connection.execute(text("SELECT version, platforms FROM rollouts ORDER BY version"))
        assert {version: json.loads(platforms) for version, platforms in found} == {"1.6.0": BOTH, "1.7.0": []}
        command.downgrade(schema._config(connection), BEFORE)
    with empty.engine.begin() as connection:
        assert "platforms" not in {column["name"] for column in inspect(connection).get_columns("rollouts")}
