"""Alarms come with the release that knows them, and go with it."""

import json

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0029_support"
BEFORE_MUTED = "0045_mail_declines"


def test_alarms_come_empty_and_go_again(empty: Database) -> None:
    leave_at(empty, BEFORE)
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        for table in ("alarms", "alarm_settings"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0
        command.downgrade(schema._config(connection), BEFORE)
        assert not {"alarms", "alarm_settings"} & set(inspect(connection).get_table_names())


def test_who_wanted_mails_of_some_kinds_gets_those_and_new_ones_and_older_releases_find_their_own(
    empty: Database,
) -> None:
    leave_at(empty, BEFORE_MUTED)
    with empty.engine.begin() as connection:
        row = (
            "INSERT INTO alarm_settings (company_id, mail, kinds) VALUES ('00000000-0000-4000-8000-000000000001', true,"
        )
        connection.execute(text(f"""{row} '["silent", "disk"]')"""))
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        muted = connection.execute(text("SELECT muted FROM alarm_settings")).scalar_one()
        assert json.loads(muted) == ["network", "few_stamps", "gap", "queue"]
        command.downgrade(schema._config(connection), BEFORE_MUTED)
        assert connection.execute(text("SELECT kinds FROM alarm_settings")).scalar_one() == '["silent", "disk"]'
