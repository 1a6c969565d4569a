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


def test_forks_and_conflicts_from_before_are_listed_once_and_nobody_is_mailed(empty: Database) -> None:
    leave_at(empty, BEFORE_FAULTS)
    company = "00000000-0000-4000-8000-000000000001"
    with empty.engine.begin() as connection:
        columns = "id, name, name_key, is_operator, created_at"
        connection.execute(text(f"INSERT INTO companies ({columns}) VALUES ('{company}', 'a', 'a', false, 0)"))
        for no, conflict, forked, ends_at, seen_at in (
            (1, "true", "true", "NULL", 5),
            (2, "false", "false", "NULL", 5),
            (3, "true", "true", "9", 5),
            (4, "true", "true", "NULL", 4),
        ):
            for line in _clock(company, no, conflict, forked, ends_at, seen_at):
                connection.execute(text(line))
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        rows = connection.execute(text("SELECT company_id, device_no, kind, raised, told, until FROM alarms")).all()
        assert sorted((str(owner), *row) for owner, *row in rows) == [
            (company, 1, kind, True, "[]", None) for kind in ("conflict", "fork")
        ]
        command.downgrade(schema._config(connection), BEFORE_FAULTS)
        assert connection.execute(text("SELECT count(*) FROM alarms")).scalar_one() == 0


def _clock(company: str, no: int, conflict: str, forked: str, ends_at: str, seen_at: int) -> list[str]:
    id_ = f"00000000-0000-4000-8000-{no:012d}"
    return [
        "INSERT INTO devices (no, id, keyid, public_key, claim_code, serial, hardware_id, mac, profile, version, label,"
        " label_notes, channel, identity_conflict, enrolled_at)"
        f" VALUES ({no}, '{id_}', 'k{no}', '', '', '', '', '', '', '', '', '', 'stable', {conflict}, 0)",
        f"INSERT INTO device_leases (device_no, confirmed, pending, forked) VALUES ({no}, 0, 1, {forked})",
        "INSERT INTO device_assignments (company_id, id, device_no, starts_at, ends_at, assigned_at, name, notes)"
        f" VALUES ('{company}', '{id_}', {no}, 5, {ends_at}, 5, '', '')",
        "INSERT INTO device_beats (device_no, seen_at, boot, boottime_ms, wall, quality, ip, mac, profile, version)"
        f" VALUES ({no}, {seen_at}, '{id_}', 1, '', 'ntp', '', '', '', '')",
    ]


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
