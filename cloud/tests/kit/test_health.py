"""Readiness: only with a database that answers and has the schema of this program."""

from importlib.metadata import version
from pathlib import Path

from fastapi.testclient import TestClient
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import make_url, text
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.postgres import LINE, conninfo_of
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database

from cloud.tests.databases import ON_POSTGRESQL
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm

CORRECTION = {"date": "2026-11-19", "newStart": "08:00", "newEnd": "12:00"}


def test_a_current_database_is_ready(client: TestClient) -> None:
    answer = client.get("/api/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": version("stempelwerk-cloud"), "database": "ok"}


@ON_POSTGRESQL
def test_a_server_that_only_reads_is_not_ready_and_writes_are_put_off(
    firm: Firm, settings: Settings, clock: SettableClock
) -> None:
    """A replaced primary, for example."""
    reads = f"{settings.database_url}&options=-c%20default_transaction_read_only%3Don"
    app = create_app(settings.model_copy(update={"database_url": reads}), clock=clock)
    with app.state.platform.database:
        client = TestClient(app)
        answer = client.get("/api/health")
        correction = client.post("/api/time-corrections", json=CORRECTION, headers=firm.anna.headers)
    assert (answer.status_code, answer.json()["database"]) == (503, "read_only")
    assert (correction.status_code, correction.json()["code"], "retry-after" in correction.headers) == (
        503,
        "unavailable",
        True,
    )


def test_a_server_that_says_nothing_is_found_out_and_the_address_may_say_how_soon() -> None:
    two = make_url("postgresql+psycopg://u:p@/db?host=one:5433&host=two:5434&target_session_attrs=read-write")
    parameters = conninfo_to_dict(conninfo_of(two))
    assert (parameters["host"], parameters["port"], parameters["target_session_attrs"]) == (
        "one,two",
        "5433,5434",
        "read-write",
    )
    assert {name: int(str(parameters[name])) for name in LINE} == LINE
    patient = make_url("postgresql+psycopg://u:p@host/db?connect_timeout=60")
    assert conninfo_to_dict(conninfo_of(patient))["connect_timeout"] in (60, "60")


def test_an_old_schema_is_not_ready(client: TestClient, owner: Database) -> None:
    with owner.write(SYSTEM) as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'older'"))
    answer = client.get("/api/health")
    assert answer.status_code == 503
    assert (answer.json()["status"], answer.json()["database"]) == ("unavailable", "outdated")


def test_a_database_that_does_not_answer_is_not_ready(tmp_path: Path) -> None:
    url = "postgresql+psycopg://nobody@/nothing?host=/nowhere&connect_timeout=1"
    app = create_app(Settings(database_url=url, data_dir=tmp_path, web_dir=tmp_path))
    with app.state.platform.database:
        answer = TestClient(app).get("/api/health")
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"
