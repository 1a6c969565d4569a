"""The commands on PostgreSQL, run by users who are no superusers; each test has its own server."""

import io
import threading
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import make_url, text
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.postgres import SERVICE_ROLE, RoleMissing
from stempelwerk_cloud.kit.database.scopes import NOBODY, SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_tools.postgres import PostgresServer, database_name, temporary_server

PASSWORD = "sehr lang und geheim"
Address = Callable[[str], str]


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server without any migration."""
    with temporary_server() as server:
        yield server


@pytest.fixture
def as_user(server: PostgresServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Address:
    """Sets the address of a user for the database that `owner` owns, and returns it."""
    _run(server, "CREATE ROLE owner LOGIN", "CREATE ROLE clerk LOGIN")
    url = make_url(server.new_database())
    _run(server, f"ALTER DATABASE {url.database} OWNER TO owner")
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STEMPELWERK_WEB_DIR", str(tmp_path))
    (tmp_path / "index.html").write_text("<!doctype html>")

    def address(user: str) -> str:
        address = url.set(username=user).render_as_string(hide_password=False)
        monkeypatch.setenv("STEMPELWERK_DATABASE_URL", address)
        return address

    return address


def _run(server: PostgresServer, *statements: str, database: str = "postgres") -> None:
    with psycopg.connect(server.dsn(database), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def _create_founder(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    return main(["create-founder", "--username", "gerda", "--password-stdin"])


def _logs_in(url: str, tmp_path: Path) -> bool:
    app = create_app(Settings(database_url=url, data_dir=tmp_path / "data", web_dir=tmp_path))
    with TestClient(app) as client:
        login = {"company": "Plattform", "username": "gerda", "password": PASSWORD}
        return client.post("/api/login", json=login).status_code == 200


def test_a_user_who_may_not_make_roles_is_told_what_a_superuser_must_run(
    server: PostgresServer, as_user: Address, capsys: pytest.CaptureFixture[str]
) -> None:
    as_user("owner")
    assert main(["migrate"]) == 1
    stderr = capsys.readouterr().err
    assert stderr == (
        "The database's user may not make roles: as a superuser run 'CREATE ROLE stempelwerk_service NOLOGIN;'"
        " (if it is missing) and 'GRANT stempelwerk_service TO owner;', then this again.\n"
    )
    _run(server, "CREATE ROLE stempelwerk_service NOLOGIN")
    assert main(["migrate"]) == 1
    assert capsys.readouterr().err == stderr
    _run(server, "GRANT stempelwerk_service TO owner")
    assert main(["migrate"]) == 0


@pytest.mark.parametrize("creates_roles", [False, True], ids=["who was granted the role", "who makes the role"])
def test_an_owner_who_is_no_superuser_can_do_everything(
    server: PostgresServer,
    as_user: Address,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    creates_roles: bool,
) -> None:
    prepared = ["CREATE ROLE stempelwerk_service NOLOGIN", "GRANT stempelwerk_service TO owner"]
    _run(server, *(["ALTER ROLE owner CREATEROLE"] if creates_roles else prepared))
    url, file = as_user("owner"), str(tmp_path / "backup.tar.gz")
    assert main(["migrate"]) == 0
    assert _create_founder(monkeypatch) == 0
    assert _logs_in(url, tmp_path)
    assert main(["backup", file]) == 0
    rows = capsys.readouterr().out.split(" rows")[0]
    assert int(rows) > 3
    assert main(["restore", file]) == 1
    assert "not empty" in capsys.readouterr().err
    assert main(["restore", file, "--replace"]) == 0
    assert capsys.readouterr().out.startswith(f"{rows} rows")
    assert _logs_in(url, tmp_path)
    assert main(["migrate"]) == 0


def test_the_service_may_make_temporary_tables_where_public_may_not(server: PostgresServer, as_user: Address) -> None:
    url = as_user("owner")
    name = database_name(url)
    _run(server, "CREATE ROLE stempelwerk_service NOLOGIN", "GRANT stempelwerk_service TO owner")
    _run(server, f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
    assert main(["migrate"]) == 0
    with Database(url) as database, database.dry_run(SYSTEM, str(uuid.uuid4())) as session:
        session.execute(text("DELETE FROM company_settings"))


def test_before_the_owner_too_the_wall_is_forced(server: PostgresServer, as_user: Address, monkeypatch) -> None:
    _run(server, "ALTER ROLE owner CREATEROLE")
    url = as_user("owner")
    assert main(["migrate"]) == 0
    assert _create_founder(monkeypatch) == 0
    with Database(url, as_owner=True) as owner:
        users = text("SELECT count(*) FROM users")
        with owner.read(NOBODY) as session:
            assert session.execute(users).scalar_one() == 0
        with owner.engine.connect() as connection:
            assert connection.execute(users).scalar_one() == 1


def test_another_user_may_serve_once_the_role_is_granted(
    server: PostgresServer, as_user: Address, monkeypatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _run(server, "ALTER ROLE owner CREATEROLE")
    as_user("owner")
    assert main(["migrate"]) == 0
    url = as_user("clerk")
    for command in (["serve"], ["backup", str(tmp_path / "b")]):
        assert main(command) == 1
        assert capsys.readouterr().err == (
            "The database's user may not be stempelwerk_service: run 'stempelwerk-cloud migrate' first (for another"
            " user than the migrating one: GRANT stempelwerk_service TO that user).\n"
        )
    _run(server, "GRANT stempelwerk_service TO clerk")
    assert _create_founder(monkeypatch) == 0
    assert _logs_in(url, tmp_path)
    assert main(["migrate"]) == 0, "nothing is to be done"
    _run(server, "DROP POLICY tenant ON users", database=database_name(url))
    assert main(["migrate"]) == 1
    stderr = capsys.readouterr().err
    assert stderr.startswith("The database refuses: must be owner of ")
    assert stderr.count("\n") == 1


def test_a_database_without_its_walls_is_not_served(
    server: PostgresServer, as_user: Address, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(server, "ALTER ROLE owner CREATEROLE")
    url = as_user("owner")
    assert main(["migrate"]) == 0
    _run(server, f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {SERVICE_ROLE}", database=database_name(url))
    assert main(["serve"]) == 1
    assert capsys.readouterr().err == ("The database's schema is not current: run 'stempelwerk-cloud migrate' first.\n")


def test_a_role_that_sees_through_walls_is_refused(
    server: PostgresServer, as_user: Address, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(server, "CREATE ROLE stempelwerk_service BYPASSRLS", "GRANT stempelwerk_service TO owner")
    as_user("owner")
    assert main(["migrate"]) == 1
    stderr = capsys.readouterr().err
    assert "ALTER ROLE stempelwerk_service NOSUPERUSER NOBYPASSRLS" in stderr
    assert stderr.count("\n") == 1


def test_migrations_of_several_databases_make_the_role_once(server: PostgresServer) -> None:
    _run(server, "CREATE ROLE maker LOGIN CREATEROLE")
    urls = [str(make_url(server.new_database()).set(username="maker")) for _ in range(4)]
    begin, failed = threading.Barrier(len(urls)), []

    def prepare(url: str) -> None:
        owner, service = Database(url, as_owner=True), Database(url)
        try:
            with pytest.raises(RoleMissing), service.read(SYSTEM) as session:
                session.execute(text("SELECT 1"))
            begin.wait()
            schema.prepare(owner)
            with service.read(SYSTEM) as session:
                assert session.execute(text("SELECT current_user")).scalar_one() == SERVICE_ROLE
        except BaseException as error:
            failed.append(error)
        finally:
            owner.dispose()
            service.dispose()

    threads = [threading.Thread(target=prepare, args=(url,)) for url in urls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
