"""Today's release opens the database and the backup of an earlier release, on both databases."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations import backup

from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD

FIELD = Path(__file__).parent / "field"
LEFT = sorted(path.name for path in FIELD.iterdir() if path.is_dir())
OPERATOR = "Plattform"


@pytest.fixture(params=LEFT)
def left(request: pytest.FixtureRequest) -> Path:
    return FIELD / str(request.param)


@pytest.fixture
def restored(empty: Database, left: Path, tmp_path: Path) -> str:
    """The address of a database that was filled from the backup."""
    backup.restore(empty, tmp_path / "data", left / "backup.tar.gz")
    return empty.engine.url.render_as_string(hide_password=False)


@pytest.fixture
def migrated(left: Path, tmp_path: Path) -> str:
    """The address of the database itself."""
    url = f"sqlite:///{tmp_path / 'left.db'}"
    with closing(sqlite3.connect(tmp_path / "left.db")) as database:
        database.executescript((left / "stempelwerk.sql").read_text(encoding="utf-8"))
    with Database(url, as_owner=True) as owner:
        schema.migrate(owner)
    return url


@contextmanager
def _opened(url: str, left: Path, data: Path) -> Iterator[TestClient]:
    """The release of today on what was left, at the same moment."""
    clock = SettableClock()
    clock.set(datetime.fromisoformat(_told(left)["now"]))
    app = create_app(Settings(database_url=url, data_dir=data), clock=clock)
    with app.state.platform.database, TestClient(app) as client:
        yield client


def _told(left: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((left / "told.json").read_text(encoding="utf-8"))
    return found


def _asking(client: TestClient, company: str, username: str) -> dict[str, str]:
    """Returns the header of a person who logged in with the password of that time."""
    answer = client.post("/api/login", json={"company": company, "username": username, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def _ask(client: TestClient, told: dict[str, Any]) -> dict[str, Any]:
    ids, names = told["ids"], told["names"]
    founder, boss = _asking(client, OPERATOR, names["founder"]), _asking(client, names["firm"], names["boss"])
    anna, firm = _asking(client, names["firm"], names["anna"]), f"/api/companies/{ids['firm']}"
    asked = {
        "anna": (anna, f"/api/users/{ids['anna']}/times?from=2026-11-01&to=2026-11-30"),
        "held": (boss, f"{firm}/held-stamps"),
        "clocks": (boss, f"{firm}/clocks"),
        "users": (boss, f"{firm}/users"),
        "audit": (boss, f"{firm}/audit"),
        "strays": (founder, "/api/held-stamps"),
    }
    return {name: client.get(path, headers=who).json() for name, (who, path) in asked.items()}


def _as_then(found: Any, told: Any) -> Any:
    """Returns today's answer without members that were added since."""
    if isinstance(found, dict) and isinstance(told, dict):
        return {name: _as_then(value, told[name]) for name, value in found.items() if name in told}
    if isinstance(found, list) and isinstance(told, list) and len(found) == len(told):
        return [_as_then(*pair) for pair in zip(found, told, strict=True)]
    return found


def test_a_database_that_was_left_tells_the_same(migrated: str, left: Path, tmp_path: Path) -> None:
    told = _told(left)
    with _opened(migrated, left, tmp_path / "data") as client:
        found = _ask(client, told)
    assert _as_then(found, told) == {name: told[name] for name in found}


def test_a_backup_that_was_left_tells_the_same_on_both_databases(restored: str, left: Path, tmp_path: Path) -> None:
    told = _told(left)
    with _opened(restored, left, tmp_path / "data") as client:
        found = _ask(client, told)
    assert _as_then(found, told) == {name: told[name] for name in found}
