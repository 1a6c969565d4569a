"""Allowed places of a database, and a system with another sort order than its indexes."""

from pathlib import Path

import psycopg
import pytest
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.kit.operations import data_folder, faults
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_tools.postgres import PostgresServer, database_name

from cloud.tests.databases import ON_POSTGRESQL, ON_SQLITE

ROOT = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw"


def _mounted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *lines: str) -> None:
    """Replaces the kernel's list of mounts."""
    file = tmp_path / "mountinfo"
    file.write_text("\n".join([ROOT, *lines]) + "\n")
    monkeypatch.setattr(data_folder, "MOUNTS", file)


def _share(place: Path, system: str) -> str:
    return f"30 22 0:40 / {place} rw,relatime shared:2 - {system} server:/share rw"


@pytest.mark.parametrize("system", ["nfs", "nfs4", "cifs", "9p", "fuse.sshfs"])
def test_a_new_database_on_a_network_share_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], system: str
) -> None:
    place = tmp_path / "on the share"
    place.mkdir()
    _mounted(monkeypatch, tmp_path, _share(Path(str(place).replace(" ", "\\040")), system))
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", f"sqlite:///{place / 'new' / 'stempelwerk.db'}")
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / "data"))
    assert main(["serve"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"lies on a network share ({system}), where SQLite loses data" in line
    assert list(place.iterdir()) == []


def test_a_disk_below_a_share_or_beside_it_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = f"31 30 8:2 / {tmp_path}/share/disk rw - ext4 /dev/sdb1 rw"
    _mounted(monkeypatch, tmp_path, _share(tmp_path / "share", "nfs4"), disk)
    assert data_folder.share_of(tmp_path / "share" / "a.db") == "nfs4"
    assert data_folder.share_of(tmp_path / "share" / "disk" / "a.db") is None
    assert data_folder.share_of(tmp_path / "shared" / "a.db") is None


@ON_SQLITE
def test_a_database_that_lies_on_a_share_already_is_served_and_told(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert faults.find(platform) == []
    file = Path(str(platform.database.engine.url.database))
    _mounted(monkeypatch, tmp_path, _share(file.resolve().parent, "cifs"))
    data_folder.refuse_share(file)
    (fault,) = faults.find(platform)
    assert (fault.kind, fault.subject, "Netzfreigabe (cifs)" in fault.text) == ("share", str(file), True)


@ON_POSTGRESQL
def test_a_system_that_sorts_in_another_way_is_told_with_what_to_do(
    unused_database: None, postgres_server: PostgresServer, platform: Platform
) -> None:
    assert faults.find(platform) == []
    name = database_name(platform.database.engine.url.render_as_string())
    with psycopg.connect(postgres_server.dsn(), autocommit=True) as connection:
        connection.execute("UPDATE pg_database SET datcollversion = '2.28' WHERE datname = %s", (name,))
    (fault,) = faults.find(platform)
    assert (fault.kind, fault.subject) == ("collation", name)
    assert f'REINDEX DATABASE "{name}"; ALTER DATABASE "{name}" REFRESH COLLATION VERSION;' in fault.text
