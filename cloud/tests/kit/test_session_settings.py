"""Each connection of the service has the settings that it relies on, whatever the database's user sets."""

import io
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url, text
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.postgres import SESSION, conninfo_of, take_role
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_tools.postgres import PostgresServer, database_name

from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import World

ODD = {
    "DateStyle": ["German, DMY", "SQL, DMY", "Postgres, YMD"],
    "IntervalStyle": ["sql_standard", "iso_8601"],
    "TimeZone": ["Europe/Berlin", "Pacific/Kiritimati"],
    "bytea_output": ["escape"],
    "extra_float_digits": ["-15"],
    "lc_monetary": ["C.UTF-8"],
    "lc_numeric": ["C.UTF-8"],
    "lc_time": ["C.UTF-8"],
    "standard_conforming_strings": ["off"],
    "array_nulls": ["off"],
    "transform_null_equals": ["on"],
    "quote_all_identifiers": ["on"],
    "row_security": ["off"],
    "default_transaction_isolation": ["serializable"],
    "default_transaction_deferrable": ["on"],
}
"""Values that another program on the same server may want."""


def _give(server: PostgresServer, url: str, settings: dict[str, str]) -> None:
    """Sets `ALTER ROLE … SET` for the user of the address, in this database."""
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        for name, value in settings.items():
            connection.execute(f"ALTER ROLE postgres IN DATABASE {database_name(url)} SET {name} = '{value}'")


def test_each_setting_has_an_odd_value_to_be_tried_with() -> None:
    assert ODD.keys() == SESSION.keys()


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in ODD.items() for value in values])
def test_no_connection_takes_a_setting_of_the_databases_user(
    unused_database: None, postgres_server: PostgresServer, postgres_url: str, name: str, value: str
) -> None:
    _give(postgres_server, postgres_url, {name: value})
    with psycopg.connect(conninfo_of(make_url(postgres_url))) as relay:
        assert relay.execute(f"SHOW {name}").fetchone() == (value,)
        take_role(relay)
        values = [relay.execute(f"SHOW {name}").fetchone()]
    for as_owner in (False, True):
        with Database(postgres_url, as_owner=as_owner) as database:
            for engine in database.engines:
                with engine.connect() as connection:
                    values.append(tuple(connection.execute(text(f"SHOW {name}")).one()))
    assert values == [(SESSION[name],)] * 9


def test_times_are_answered_where_the_databases_user_writes_them_in_another_way(
    unused_database: None, postgres_server: PostgresServer, postgres_url: str, clock: SettableClock, tmp_path: Path
) -> None:
    _give(postgres_server, postgres_url, {name: values[0] for name, values in ODD.items()})
    settings = Settings(database_url=postgres_url, data_dir=tmp_path / "data", web_dir=tmp_path)
    app = create_app(settings, clock=clock)
    with TestClient(app, raise_server_exceptions=False) as client:
        firm = World(client, app.state.platform).firm()
        paths = (f"/api/companies/{firm.id}/audit", "/api/alarms")
        answers = [client.get(path, headers=firm.boss.headers) for path in paths]
        corrected = client.post(
            "/api/time-corrections",
            json={"date": "2026-11-19", "newStart": "08:00", "newEnd": "12:00"},
            headers=firm.anna.headers,
        )
    assert [answer.status_code for answer in (*answers, corrected)] == [200, 200, 201]
    assert corrected.json()["createdAt"] == "2026-11-20T08:00:00.000Z"


@pytest.mark.parametrize("schema", ["postgres", "zeit erfassung"], ids=["of the user's name", "of the user's path"])
def test_an_installation_in_a_schema_of_its_own_is_served_and_restored(
    postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, schema: str
) -> None:
    url = postgres_server.new_database()
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path))

    def create_founder(name: str) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
        return main(["create-founder", "--username", name, "--password-stdin"])

    with psycopg.connect(postgres_server.dsn(database_name(url)), autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
    if schema != "postgres":
        _give(postgres_server, url, {"search_path": schema})
    file = str(tmp_path / "backup.tar.gz")
    assert (main(["migrate"]), create_founder("gerda"), main(["backup", file])) == (0, 0, 0)
    assert (main(["restore", "--replace", file]), create_founder("zwei"), main(["verify-audit"])) == (0, 0, 0)
    with psycopg.connect(postgres_server.dsn(database_name(url))) as connection:
        tables = "SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname !~ '^(pg_|information)'"
        assert connection.execute(tables).fetchall() == [(schema,)]
    postgres_server.drop_database(url)


def test_a_commit_waits_for_the_disk_whatever_the_databases_user_sets(
    unused_database: None, postgres_server: PostgresServer, postgres_url: str
) -> None:
    for value, effective in (("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")):
        _give(postgres_server, postgres_url, {"synchronous_commit": value})
        with Database(postgres_url) as database:
            for engine in database.engines:
                with engine.connect() as connection:
                    assert connection.execute(text("SHOW synchronous_commit")).scalar_one() == effective


@pytest.mark.parametrize(
    ("setting", "way_out"),
    [
        ({"default_transaction_read_only": "on"}, "default_transaction_read_only"),
        ({"search_path": "nowhere"}, "GRANT USAGE, CREATE ON SCHEMA"),
    ],
    ids=["only reads", "no schema"],
)
def test_a_migration_that_the_databases_user_may_not_do_says_in_a_line_what_to_do(
    postgres_server: PostgresServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    setting: dict[str, str],
    way_out: str,
) -> None:
    url = postgres_server.new_database()
    _give(postgres_server, url, setting)
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path))
    assert main(["migrate"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("The database refuses: ")
    assert way_out in line
    postgres_server.drop_database(url)
