"""Migrations while another transaction is left open, on a real PostgreSQL."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import Connection, event, text
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.kit.database import row_security, schema
from stempelwerk_cloud.kit.database.postgres import SERVICE_ROLE
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_tools.postgres import PostgresServer, database_name


@pytest.fixture
def left_open(
    unused_database: None, postgres_server: PostgresServer, postgres_url: str
) -> Iterator[psycopg.Connection]:
    """A session of `psql` that has read a table and is idle in its transaction."""
    dsn = f"{postgres_server.dsn(database_name(postgres_url))} application_name=psql"
    with psycopg.connect(dsn) as connection:
        connection.execute("SELECT count(*) FROM companies")
        yield connection


@pytest.fixture
def owner(postgres_url: str) -> Iterator[Database]:
    with Database(postgres_url, as_owner=True) as database:
        yield database


@pytest.fixture
def command(postgres_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", postgres_url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(schema, "LOCK_S", 1)


def _break_a_wall(owner: Database) -> None:
    with owner.engine.begin() as connection:
        connection.execute(text("DROP POLICY tenant ON alarms"))


def test_an_open_transaction_does_not_block_a_complete_schema(
    left_open: psycopg.Connection, command: None, owner: Database
) -> None:
    assert main(["migrate"]) == 0
    left_open.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
    assert main(["migrate"]) == 0


def test_the_holder_of_a_table_is_named_with_the_way_out_and_nothing_is_changed(
    left_open: psycopg.Connection, command: None, owner: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    left_open.commit()
    _break_a_wall(owner)
    left_open.execute("SELECT count(*) FROM alarms")
    assert main(["migrate"]) == 1
    stderr = capsys.readouterr().err
    (line,) = stderr.splitlines()
    pid = left_open.info.backend_pid
    assert f"process {pid} (psql, user postgres, from this machine, idle in transaction since 20" in line
    assert f"pg_terminate_backend({pid})" in line
    left_open.rollback()
    assert main(["migrate"]) == 0
    with owner.engine.connect() as connection:
        assert row_security.is_built(connection)


def test_a_transaction_that_ends_meanwhile_is_waited_for(
    left_open: psycopg.Connection, command: None, owner: Database
) -> None:
    left_open.commit()
    _break_a_wall(owner)
    left_open.execute("SELECT count(*) FROM alarms")
    tries = 0

    def begun(_connection: Connection) -> None:
        nonlocal tries
        tries += 1
        if tries == 4:  # those of `prepare`, of the first attempt, and of finding the holder
            left_open.rollback()

    event.listen(owner.engine, "begin", begun)
    schema.migrate(owner)
    with owner.engine.connect() as connection:
        assert row_security.is_built(connection)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER POLICY tenant ON users USING (true)",
        "CREATE POLICY more ON users USING (true)",
        "ALTER TABLE users NO FORCE ROW LEVEL SECURITY",
        f"GRANT UPDATE ON audit_entries TO {SERVICE_ROLE}",
        f"REVOKE INSERT ON users FROM {SERVICE_ROLE}",
        "COMMENT ON TABLE alembic_version IS NULL",
    ],
)
def test_changed_policies_are_rebuilt(unused_database: None, owner: Database, change: str) -> None:
    with owner.engine.begin() as connection:
        assert row_security.is_built(connection)
        state_before = connection.execute(row_security._STATE, {"role": SERVICE_ROLE}).scalar_one()
        connection.execute(text(change))
        assert not row_security.is_built(connection)
    schema.migrate(owner)
    with owner.engine.begin() as connection:
        assert row_security.is_built(connection)
        assert connection.execute(row_security._STATE, {"role": SERVICE_ROLE}).scalar_one() == state_before
