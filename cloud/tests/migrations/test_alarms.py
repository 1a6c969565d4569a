"""Alarms come with the release that knows them, and go with it."""

import json

from alembic import command
from sqlalchemy import inspect, text
from stempelwerk_cloud.domain.alarms import KINDS
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.migrations.standing import leave_at

BEFORE = "0029_support"
BEFORE_MUTED = "0045_mail_declines"
BEFORE_FAULTS = "0046_muted_alarms"


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


def test_an_older_release_finds_no_alarm_of_a_kind_that_it_does_not_know(empty: Database) -> None:
    schema.migrate(empty)
    company = "00000000-0000-4000-8000-000000000001"
    with empty.engine.begin() as connection:
        for number, kind in enumerate(KINDS):
            row = (
                "INSERT INTO alarms (company_id, id, device_no, kind, since, raised, told) VALUES"
                f" ('{company}', '00000000-0000-4000-8000-{number:012d}', 1, '{kind}', 0, true, '[]')"
            )
            connection.execute(text(row))
        command.downgrade(schema._config(connection), BEFORE_FAULTS)
        left = set(connection.execute(text("SELECT kind FROM alarms")).scalars())
        assert left == {"silent", "network", "few_stamps", "gap", "queue", "disk", "reader"}
        columns = {column["name"] for column in inspect(connection).get_columns("device_beats")}
        assert not {"storage", "cert_days_left", "cert_days"} & columns
