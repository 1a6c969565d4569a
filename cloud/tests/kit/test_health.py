"""Readiness: only with a database that answers and has the schema of this program."""

from importlib.metadata import version
from pathlib import Path

from fastapi.testclient import TestClient
from sqlalchemy import text
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.settings import Settings


def test_a_current_database_is_ready(client: TestClient) -> None:
    answer = client.get("/api/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": version("stempelwerk-cloud"), "database": "ok"}


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
