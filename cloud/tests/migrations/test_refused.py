"""Databases that this version cannot bring to its schema are refused in a line, and stay as they are."""

import psycopg
import pytest
from sqlalchemy import text
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.schema import MigrationRefused
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_tools.postgres import PostgresServer


def test_a_database_that_a_newer_version_has_converted_is_refused_and_stays(empty: Database) -> None:
    schema.migrate(empty)
    with empty.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999_newer'"))
    with pytest.raises(MigrationRefused, match=r"A newer version .* \(9999_newer\)"):
        schema.migrate(empty)
    assert schema.current(empty) == "9999_newer"


def test_a_database_in_another_encoding_than_utf_8_is_refused(postgres_server: PostgresServer) -> None:
    url = postgres_server.url("plain")
    with psycopg.connect(postgres_server.dsn(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    with Database(url, as_owner=True) as database, pytest.raises(MigrationRefused, match="encoding must be UTF8"):
        schema.migrate(database)
    postgres_server.drop_database(url)
