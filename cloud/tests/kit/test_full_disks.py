"""Health and alarms report a disk before it is full."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.fleet.alarms.watch import rounds
from stempelwerk_cloud.kit.operations import data_folder, faults
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_SQLITE
from cloud.tests.stamping import Site


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raises the required space above that of any disk."""
    monkeypatch.setattr(data_folder, "LEAST_FREE_BYTES", 1 << 80)


@ON_SQLITE
def test_health_names_the_folder_of_a_nearly_full_disk_and_what_to_do(
    platform: Platform, client: TestClient, full: None
) -> None:
    answer = client.get("/api/health")
    (fault,) = answer.json()["faults"]
    folder = Path(str(platform.database.engine.url.database)).absolute().parent
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert (fault["kind"], fault["subject"]) == ("space", str(folder))
    assert f"Ordner {folder} sind noch" in fault["text"]
    assert "vergrößere die Platte" in fault["text"]


@ON_SQLITE
def test_a_nearly_full_disk_is_an_alarm_of_the_operator_until_there_is_room(
    site: Site, platform: Platform, full: None
) -> None:
    rounds.run_round(platform)
    rows = site.world.again(site.world.founder).get("/api/alarms").json()
    assert [row["kind"] for row in rows if row["deviceId"] is None] == ["space"]


def test_enough_room_is_no_fault_and_the_threshold_is_what_is_asked(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform.settings.data_dir.mkdir(parents=True, exist_ok=True)
    monkeypatch.setattr(data_folder, "free_bytes", lambda _folder: data_folder.LEAST_FREE_BYTES)
    assert faults.find(platform) == []
    monkeypatch.setattr(data_folder, "free_bytes", lambda _folder: data_folder.LEAST_FREE_BYTES - 1)
    assert {fault.kind for fault in faults.find(platform)} == {"space"}
