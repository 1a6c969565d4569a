"""An installation that is updated, downgraded, and removed, by the steps of the pages.

Both programs lie on one machine here, which is allowed: they share nothing.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from stempelwerk_edge.updates.launcher import Places, slots, store
from stempelwerk_tools.simulators.pty_reader import PtyReader
from stempelwerk_tools.simulators.tags import ntag

from edge.tests.updates.repository import SignedRepository, lay_down, wheel
from tools.tests.installed.conftest import OLDER
from tools.tests.installed.machine import Machine, Wire, machine
from tools.tests.installed.pages import steps
from tools.tests.installed.site import install_clock, install_server, with_permission_for_dialout

pytestmark = [pytest.mark.machines, pytest.mark.proof("installed")]
COUNT = """sudo -u postgres psql -At stempelwerk -c 'SELECT count(*) FROM unassigned_stamps'"""


@dataclass
class House:
    """One machine with both programs; each test continues where the last one ended."""

    machine: Machine
    reader: PtyReader
    tapped: int = 0

    def tap(self) -> None:
        """Makes a tap and waits until the service has it."""
        self.tapped += 1
        self.reader.hold(ntag(bytes.fromhex(f"04A1B2C3D4E5{self.tapped:02X}")), for_s=0.5)
        self.machine.wait_for(f'test "$({COUNT})" = {self.tapped}')

    def version(self) -> str:
        """Returns the installed version of the service's package."""
        return self.machine.run("dpkg-query -W -f '${Version}' stempelwerk-cloud").strip()

    def running(self) -> None:
        """Fails unless both run and the service answers."""
        self.machine.run("systemctl is-active stempelwerk-cloud stempelwerk-edge")
        assert json.loads(self.machine.run("curl -s http://127.0.0.1:8000/api/health"))["status"] == "ok"


@pytest.fixture(scope="module")
def house(packages: dict[str, Path]) -> Iterator[House]:
    with Wire() as wire, PtyReader() as reader:
        devices = {"/dev/stempelwerk-reader": with_permission_for_dialout(reader)}
        with machine("house", wire, devices=devices) as new_machine:
            install_server(new_machine, packages["older cloud"])
            install_clock(new_machine, new_machine, packages["older edge"])
            for package in packages.values():
                new_machine.put(package, f"/srv/{package.name}")
            yield House(new_machine, reader)


def test_an_update_whose_backup_fails_changes_nothing(house: House) -> None:
    house.tap()
    house.machine.run("mv /var/backups/stempelwerk-cloud /var/backups/kept; touch /var/backups/stempelwerk-cloud")
    try:
        refused = house.machine.try_(steps("docs/operations.md", "update")[0])
    finally:
        house.machine.run("rm /var/backups/stempelwerk-cloud; mv /var/backups/kept /var/backups/stempelwerk-cloud")
    assert refused.returncode != 0
    assert "the backup before the update failed" in refused.stdout
    assert house.version() == OLDER
    house.running()


SCHEMA = """sudo -u postgres psql -q stempelwerk -c "UPDATE alembic_version SET version_num = '{}'\""""


def test_an_update_whose_migration_fails_goes_on_once_that_is_mended(house: House) -> None:
    run = house.machine.run
    was = run("sudo -u postgres psql -At stempelwerk -c 'SELECT version_num FROM alembic_version'").strip()
    run(SCHEMA.format("9999_newer"))
    (update,) = steps("docs/operations.md", "update")
    stuck = house.machine.try_(update.replace("sudo", "sudo env STEMPELWERK_WITHOUT_BACKUP=yes"))
    assert stuck.returncode != 0
    assert "A newer version of Stempelwerk has converted this database" in stuck.stdout
    assert "Traceback" not in stuck.stdout
    run(SCHEMA.format(was))
    run("dpkg --configure -a")
    house.running()
    run(f"apt-get install -y --allow-downgrades ./stempelwerk-cloud_{OLDER}_amd64.deb")
    run("rm /var/backups/stempelwerk-cloud/*")


def test_an_update_saves_everything_first_and_goes_on_where_it_was(house: House) -> None:
    house.machine.run(steps("docs/operations.md", "update")[0])
    assert house.version() != OLDER
    saved = house.machine.run("stat -c '%a %U %n' /var/backups/stempelwerk-cloud/before-update-from-*")
    assert saved == f"600 stempelwerk-cloud /var/backups/stempelwerk-cloud/before-update-from-{OLDER}.tar.gz\n"
    house.running()
    house.tap()


@pytest.mark.parametrize("way", ["update", "back"])
def test_a_clock_that_changes_its_version_keeps_its_key_and_its_stamps(house: House, way: str) -> None:
    run, enrolled = house.machine.run, "journalctl -u stempelwerk-edge -o cat --no-pager | grep -c enrolled:"
    enrolments, version = run(enrolled), run("dpkg-query -W -f '${Version}' stempelwerk-edge")
    started_at = run("date +@%s.%N").strip()
    run(steps("docs/clock.md", way)[0])
    assert run("dpkg-query -W -f '${Version}' stempelwerk-edge") != version
    house.machine.wait_for(f"journalctl -u stempelwerk-edge -o cat --no-pager -S {started_at} | grep 'online: '", 90)
    assert run(enrolled) == enrolments, "it is no new device"
    house.running()
    house.tap()


UPDATES = "/var/lib/stempelwerk-update"
NEWER = "9.0.0"


PAGE = b"<!-- the page of the newer version -->"


def _wheels(site_packages: Path) -> list[bytes]:
    """Returns the installed clock as wheels of a newer version: the libraries, and our own."""
    own_files: dict[str, str | bytes] = {}
    libraries: dict[str, str | bytes] = {}
    for path in sorted(site_packages.rglob("*")):
        if not path.is_file() or path.suffix == ".pyc":
            continue
        name, data = str(path.relative_to(site_packages)), path.read_bytes()
        if not name.startswith("stempelwerk_edge"):
            libraries[name] = data
        elif name.endswith("dist-info/METADATA"):
            text = re.sub(r"^Version: .*$", f"Version: {NEWER}", data.decode(), count=1, flags=re.MULTILINE)
            own_files[f"stempelwerk_edge-{NEWER}.dist-info/METADATA"] = text
        elif ".dist-info/" not in name:
            own_files[name] = data + PAGE if name == "stempelwerk_edge/kiosk/index.html" else data
    return [wheel(libraries), wheel(own_files)]


def test_a_version_out_of_the_network_is_unpacked_tried_and_kept_behind_the_units_walls(house: House) -> None:
    run, root = house.machine.run, house.machine.root
    where, opt = Places(root / UPDATES.lstrip("/")), root / "opt/stempelwerk-edge"
    repository = SignedRepository(datetime.now(UTC) - timedelta(minutes=5))
    (where.base / "root.json").unlink()  # the package has no root
    (where.base / "root.json").write_bytes(repository.root)
    target = repository.add(NEWER, *_wheels(opt / "lib/python3.11/site-packages"))
    lay_down(where, repository, target, datetime.now(UTC))
    house.machine.wait_for(
        f"grep -q ready {UPDATES}/slots/report.json || {{ cat {UPDATES}/slots/report.json; false; }}", 180
    )
    [slot] = slots(where)
    store(where.record, {"trial": {"id": slot, "version": NEWER, "tries": 0, "reader": "ok"}})
    run("systemctl restart stempelwerk-edge")
    house.tap()
    house.machine.wait_for(f"""grep -q '"kept": {{' {UPDATES}/exchange/launch.json""", 240)
    running = "tr '\\0' ' ' < /proc/$(systemctl show -P MainPID stempelwerk-edge)/cmdline"
    assert f"{UPDATES}/slots/" in run(running)
    assert f"Es läuft Version {NEWER}." in run("stempelwerk-edge check")
    page = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8090').read().decode())"
    assert PAGE.decode() in run(f'python3 -c "{page}"')
    assert house.machine.try_(f"touch {UPDATES}/slots/x", user="stempelwerk-edge").returncode
    assert house.machine.try_("ls /var/lib/stempelwerk-edge", user="stempelwerk-update").returncode
    run(f"dpkg -i ./stempelwerk-edge_{OLDER}_amd64.deb")
    house.running()
    assert f"{UPDATES}/slots/" in run(running), "a package takes nothing back"
    house.tap()


@pytest.mark.parametrize("package", ["stempelwerk-cloud", "stempelwerk-edge"])
def test_an_update_asks_nothing_about_settings_that_everybody_changes(house: House, package: str) -> None:
    assert "/etc/" not in house.machine.run(f"dpkg-query -W -f '${{Conffiles}}' {package}")
    assert house.machine.run(f"ls /etc/{package}").split()[0] in {"cloud.env", "ca.pem"}


def test_going_back_loses_no_stamp_for_the_clock_delivers_again_and_both_logs_say_so(house: House) -> None:
    # A newer version would leave the database with a newer schema.
    house.machine.run(SCHEMA.format("9999_newer"))
    house.machine.run(steps("docs/operations.md", "back")[0])
    assert house.version() == OLDER
    house.running()
    house.machine.wait_for(f'test "$({COUNT})" = {house.tapped}', 120)
    house.machine.run("journalctl -u stempelwerk-edge -o cat --no-pager | grep cloud_set_back")
    house.machine.run("journalctl --namespace=stempelwerk-cloud -o cat --no-pager | grep set_back_noticed")
    house.tap()


def test_a_newer_package_after_a_removal_does_not_migrate_by_itself(house: House) -> None:
    """The program that could have saved the database is gone."""
    run, newer = house.machine.run, steps("docs/operations.md", "update")[0]
    was = run("sudo -u postgres psql -At stempelwerk -c 'SELECT version_num FROM alembic_version'").strip()
    run("apt-get remove -y stempelwerk-cloud")
    run("sudo -u postgres psql -q stempelwerk -c 'DELETE FROM alembic_version'")
    output = run(newer)
    assert f"{OLDER} was here before, removed without saving anything" in output
    assert run("sudo -u postgres psql -At stempelwerk -c 'SELECT count(*) FROM alembic_version'").strip() == "0"
    run(f"""sudo -u postgres psql -q stempelwerk -c "INSERT INTO alembic_version VALUES ('{was}')\"""")
    run("sudo stempelwerk-cloud migrate; systemctl restart stempelwerk-cloud")
    house.running()


def test_a_removal_keeps_the_data_and_a_purge_the_records(house: House) -> None:
    run = house.machine.run
    run("systemctl stop stempelwerk-edge")
    run("sudo -u stempelwerk-cloud cp /etc/hostname /var/lib/stempelwerk-cloud/secrets.key")
    failing = "/run/systemd/system/stempelwerk-cloud-backup.service.d"
    run(f"mkdir -p {failing}; printf '[Service]\\nExecStartPre=/bin/false\\n' > {failing}/failing.conf")
    run("systemctl daemon-reload; ! systemctl start stempelwerk-cloud-backup")
    run(f"rm -r {failing}; systemctl daemon-reload")
    assert "stempelwerk-cloud-backup" in run("systemctl list-units --failed --plain --no-legend")
    keys = "ls /var/lib/stempelwerk-cloud /var/lib/stempelwerk-edge"
    listing_before = run(keys)
    run("apt-get remove -y stempelwerk-cloud stempelwerk-edge")
    assert run("systemctl list-units --plain --no-legend 'stempelwerk*'") == ""
    run("test ! -e /opt/stempelwerk-cloud && test ! -e /opt/stempelwerk-edge && test ! -e /usr/bin/stempelwerk-cloud")
    run(f"test ! -e {UPDATES}")
    run("test -s /etc/stempelwerk-cloud/cloud.env && test -s /etc/stempelwerk-edge/stempelwerk-edge.toml")
    output = run("apt-get purge -y stempelwerk-cloud stempelwerk-edge")
    assert "/var/lib/stempelwerk-edge is kept" in output
    run("test ! -e /etc/stempelwerk-cloud && test ! -e /etc/stempelwerk-edge")
    run("! ls -d /var/log/journal/*.stempelwerk-cloud")
    assert run(keys) == listing_before
    assert run(COUNT).strip() == str(house.tapped)
    assert run("ls /var/backups/stempelwerk-cloud")


def test_a_reinstalled_service_finds_its_data(house: House, packages: dict[str, Path]) -> None:
    run = house.machine.run
    run(f"apt-get install -y ./{packages['cloud'].name} ./{packages['edge'].name}")
    run(steps("docs/operations.md", "install")[2])
    run("systemctl start stempelwerk-cloud")
    assert run(COUNT).strip() == str(house.tapped)
    house.machine.wait_for("curl -sf http://127.0.0.1:8000/api/health")


def test_a_reinstallation_before_setup_does_not_block_the_next_update(house: House) -> None:
    run = house.machine.run
    run("systemctl stop stempelwerk-cloud; sed -i 's/^STEMPELWERK_DATABASE_URL/#&/' /etc/stempelwerk-cloud/cloud.env")
    run(f"apt-get install -y --allow-downgrades ./stempelwerk-cloud_{OLDER}_amd64.deb")
    run("apt-get remove -y stempelwerk-cloud")
    output = run(steps("docs/operations.md", "update")[0])
    assert "was here before" not in output
    assert run("ls /etc/stempelwerk-cloud").split() == ["cloud.env"]
