"""The packages' files for a machine, checked without one: scripts, units, alerts, the compose file."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stempelwerk_cloud.kit.operations.metrics import Metrics
from stempelwerk_edge.display import kiosk
from stempelwerk_tools.packages.program import ROOT

CLOUD, EDGE = ROOT / "cloud/deploy", ROOT / "edge/deploy"
SCRIPTS = sorted(
    path
    for folder in (CLOUD, EDGE)
    for path in folder.rglob("*")
    if path.is_file() and path.read_text("utf-8").startswith("#!/bin/sh")
)
UNITS = [*sorted((CLOUD / "units").glob("*.service")), *sorted(EDGE.glob("*.service"))]
CLOCK_UNIT = (EDGE / "stempelwerk-edge.service").read_text("utf-8")
WALLS = {"SystemCallFilter", "ProtectSystem", "DevicePolicy", "User", "PrivateUsers", "RestrictAddressFamilies"}
SANDBOX_OF = EDGE / "lib/sandbox-of"
IS_SET_UP = EDGE / "lib/is-set-up"


def _sandbox_of(unit: str) -> list[str]:
    done = subprocess.run(["awk", "-f", SANDBOX_OF], input=unit, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_there_are_scripts_to_look_at():
    assert {path.name for path in SCRIPTS} >= {"preinst", "postinst", "postrm", "is-set-up", "check-audit"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_script_is_one_that_a_shell_reads(script):
    subprocess.run(["sh", "-n", script], check=True)


@pytest.mark.parametrize(
    ("text", "is_started"),
    [
        ('cloud.url = "https://zeit.example.de"', True),
        ('[cloud]\nurl = "https://zeit.example.de"', True),
        ("this is no TOML", True),
        ('[cloud]\n# url = "https://zeit.example.de"', False),
        ('[reader]\nurl = "https://zeit.example.de"', False),
    ],
)
def test_the_clocks_unit_starts_once_the_program_finds_the_clouds_address(tmp_path, text, is_started):
    config = tmp_path / "clock.toml"
    config.write_text(text, "utf-8")
    environment = {"STEMPELWERK_PACKAGE": sys.prefix, "STEMPELWERK_CONFIG": str(config), "PATH": os.environ["PATH"]}
    done = subprocess.run([IS_SET_UP], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == (0 if is_started else 1), done.stderr
    assert is_started or "[cloud] url fehlt" in done.stderr


def test_the_clocks_unit_starts_although_its_program_cannot_be_asked(tmp_path):
    environment = {"STEMPELWERK_PACKAGE": str(tmp_path), "PATH": os.environ["PATH"]}
    assert subprocess.run([IS_SET_UP], env=environment, capture_output=True, check=False).returncode == 0


def test_check_takes_over_what_a_unit_allows_and_nothing_of_how_it_is_started():
    unit = "# /lib/x.service\n[Unit]\nAfter=a\n[Service]\nType=notify\nExecStart=/x\nRestart=always\nUser=x\n"
    drop_in = "# /etc/x.service.d/own.conf\n[Service]\n# why\nReadWritePaths=/srv\nWatchdogSec=1\n[Install]\nAlso=y\n"
    assert _sandbox_of(unit + drop_in) == ["User=x", "ReadWritePaths=/srv"]


def test_check_takes_over_every_wall_of_the_clocks_unit():
    settings = {line.partition("=")[0] for line in _sandbox_of(CLOCK_UNIT)}
    assert {
        "SystemCallFilter",
        "ProtectSystem",
        "DevicePolicy",
        "User",
        "PrivateUsers",
        "RestrictAddressFamilies",
    } <= settings
    assert not {name for name in settings if name.startswith(("Exec", "Restart", "Timeout", "Watchdog", "Type"))}


def test_the_clocks_unit_lets_the_kernel_be_asked_for_the_time_behind_every_other_filter():
    filters = [line for line in _sandbox_of(CLOCK_UNIT) if "CallFilter" in line]
    assert set(filters[-1].removeprefix("SystemCallFilter=").split()) == {
        "adjtimex",
        "clock_adjtime",
        "clock_adjtime64",
    }


def test_the_services_units_let_a_process_step_back_behind_every_other_filter():
    sandbox = (CLOUD / "units/sandbox.conf").read_text("utf-8")
    filters = [line for line in sandbox.splitlines() if line.startswith("SystemCallFilter")]
    assert filters[-1] == "SystemCallFilter=setpriority"


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_units_programs_are_in_its_package(unit):
    package = "stempelwerk-edge" if unit.parent == EDGE else "stempelwerk-cloud"
    folder = EDGE if unit.parent == EDGE else CLOUD
    install = (folder / f"debian/{package}.install").read_text("utf-8")
    text = unit.read_text("utf-8")
    for program in re.findall(rf"(?:^Exec\w+=|exec )(/(?:opt|usr/lib)/{package}/\S+)", text, re.MULTILINE):
        path = Path(program)
        if path.is_relative_to("/opt"):
            assert program == f"/opt/{package}/bin/{package}"
        else:
            assert (folder / "lib" / path.name).exists()
            assert f"deploy/lib/* usr/lib/{package}" in install
    assert f"Documentation=file:///usr/share/doc/{package}/" in text


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_of_the_clock_is_in_its_package_and_is_started(unit):
    if unit.parent == EDGE:
        assert f"deploy/{unit.name} lib/systemd/system\n" in (EDGE / "debian/stempelwerk-edge.install").read_text(
            "utf-8"
        )
        assert unit.name in (EDGE / "debian/units").read_text("utf-8").split()


@pytest.mark.parametrize(
    ("screens", "is_shown"),
    [({}, False), ({"card0-HDMI-A-1": "disconnected"}, False), ({"card1-DSI-1": "connected"}, True)],
)
def test_the_touchscreens_page_is_shown_where_there_is_a_screen(tmp_path, screens, is_shown):
    for name, status in ({"card0-HDMI-A-2": "disconnected"} | screens).items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(status + "\n")
    assert (subprocess.run([EDGE / "lib/has-screen", tmp_path], check=False).returncode == 0) is is_shown
    assert subprocess.run([EDGE / "lib/has-screen", tmp_path / "nothing"], check=False).returncode == 1


def test_the_touchscreen_shows_the_clocks_own_page_and_nothing_of_the_browsers(tmp_path):
    for name, body in (("chromium", ":"), ("xset", ":")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    # The package's script with a substitute for its program, which prints the arguments.
    shutil.copy(EDGE / "lib/kiosk", tmp_path)
    (tmp_path / "kiosk.py").write_text("import sys\nprint(*sys.argv[1:], sep='\\n')\n")
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path), "STEMPELWERK_CONFIG": "/clock.toml"}
    environment |= {"WAYLAND_DISPLAY": "wayland-0", "STATE_DIRECTORY": "/state"}
    done = subprocess.run([tmp_path / "kiosk"], env=environment, capture_output=True, text=True, check=True)
    arguments = done.stdout.splitlines()
    assert arguments[:3] == ["/clock.toml", "/state", str(tmp_path / "chromium")]
    assert {"--kiosk", "--hide-crash-restore-bubble", "--ozone-platform=wayland"} <= set(arguments)


def test_the_policy_of_the_touchscreens_browser_allows_the_clocks_own_page_and_nothing_else(tmp_path):
    policy = json.loads((EDGE / "chromium/managed/stempelwerk.json").read_text("utf-8"))
    assert policy["URLBlocklist"] == ["*"]
    pages = set()
    for host in ("127.0.0.1", "::1"):
        (tmp_path / "clock.toml").write_text(f'[display]\nhost = "{host}"\nport = 8123\n')
        pages.add(kiosk.agent_address(tmp_path / "clock.toml").removesuffix(":8123"))
    assert set(policy["URLAllowlist"]) == pages
    assert policy["NewTabPageLocation"] == f"http://{kiosk.USUAL_HOST}:{kiosk.USUAL_PORT}/"
    unit = (EDGE / "stempelwerk-edge-kiosk.service").read_text("utf-8")
    assert "BindReadOnlyPaths=-/usr/share/stempelwerk-edge/chromium:/etc/chromium/policies\n" in unit
    assert "deploy/chromium usr/share/stempelwerk-edge\n" in (EDGE / "debian/stempelwerk-edge.install").read_text(
        "utf-8"
    )


@pytest.mark.parametrize(
    ("typed", "passed_on"),
    [
        ("check --help", "check --help"),
        ("adopt -h", "adopt -h"),
        ("--help", "--help"),
        ("is-set-up", "is-set-up --config /etc/stempelwerk-edge/stempelwerk-edge.toml"),
        ("is-set-up --config clock.toml", "is-set-up --config clock.toml"),
        ("rescue /mnt", "rescue /mnt --config /etc/stempelwerk-edge/stempelwerk-edge.toml"),
    ],
)
def test_the_clocks_command_explains_itself_to_everybody_and_knows_where_its_configuration_lies(
    tmp_path, typed, passed_on
):
    program, command = tmp_path / "program", tmp_path / "stempelwerk-edge"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    script = (EDGE / "bin/stempelwerk-edge").read_text("utf-8")
    assert "program=/opt/stempelwerk-edge/bin/stempelwerk-edge " in script
    command.write_text(script.replace("program=/opt/stempelwerk-edge/bin/stempelwerk-edge ", f"program={program} "))
    done = subprocess.run(["sh", command, *typed.split()], capture_output=True, text=True, check=True)
    assert done.stdout == passed_on + "\n"


def test_the_touchscreens_program_needs_nothing_but_pythons_own_library():
    program = ROOT / "edge/stempelwerk_edge/display/kiosk.py"
    assert f"{program.relative_to(ROOT / 'edge')} usr/lib/stempelwerk-edge\n" in (
        (EDGE / "debian/stempelwerk-edge.install").read_text("utf-8")
    )
    subprocess.run(
        ["/usr/bin/python3", "-I", "-S", "-c", f"import runpy; runpy.run_path({str(program)!r})"], check=True
    )


def test_modemmanager_leaves_every_line_of_a_reader_or_scanner_alone():
    rules = (EDGE / "70-stempelwerk.rules").read_text("utf-8").splitlines()
    number = re.compile(r'ATTRS?\{(idVendor|idProduct)\}=="(\w+)"')
    devices = {tuple(number.findall(rule)) for rule in rules if 'SYMLINK+="stempelwerk-' in rule and "idVendor" in rule}
    ignored = {tuple(number.findall(rule)) for rule in rules if rule.endswith('ENV{ID_MM_DEVICE_IGNORE}="1"')}
    assert len(devices) == 6
    assert ignored == devices
    assert 'SUBSYSTEM=="tty", KERNEL=="ttyAMA0", ENV{ID_MM_PORT_IGNORE}="1"' in rules


@pytest.mark.parametrize("folder", [CLOUD, EDGE], ids=["cloud", "edge"])
def test_a_package_that_is_removed_names_the_python_that_it_needs(folder):
    """An upgrade of the system to Debian 13, which has another one, removes it."""
    assert "python3 (>= 3.11), python3 (<< 3.12)" in (folder / "debian/control").read_text("utf-8")
    assert "are kept. It needs Python 3.11, as in Debian 12." in (folder / "debian/postrm").read_text("utf-8")


def test_an_alert_asks_for_figures_that_there_are():
    text = (CLOUD / "alerts.yml").read_text("utf-8")
    metric_names = {name for metric in Metrics().registry.collect() for name in (metric.name, f"{metric.name}_bucket")}
    used_names = {name.removesuffix("_total") for name in re.findall(r"\bstempelwerk_\w+", text)}
    assert used_names
    assert used_names <= metric_names


def test_an_alert_asks_only_jobs_that_the_guide_configures():
    text = (CLOUD / "alerts.yml").read_text("utf-8")
    guide = (CLOUD.parents[1] / "docs/operations.md").read_text("utf-8")
    configured = set(re.findall(r"job_name: (\S+)", guide))
    assert set(re.findall(r'job="([^"]+)"', text)) == configured
    expressions = re.findall(r"\b(?:node|probe)_\w+[{(]?[^}]*", text)
    assert expressions
    assert [
        figure for figure in expressions if "job=" not in figure and "node_filesystem_size_bytes" not in figure
    ] == []


def test_an_alert_tells_an_outage_from_a_silent_clock():
    text = (CLOUD / "alerts.yml").read_text("utf-8")
    rules = dict(re.findall(r"- alert: (\w+)\n((?:        .*\n)+)", text))
    assert "severity: info" in rules["StempelwerkClocksSilent"]
    assert "severity: critical" in rules["StempelwerkOutage"]
    assert "> 0.2 * (max(stempelwerk_silent_clocks) + max(stempelwerk_online_clocks))" in rules["StempelwerkOutage"]


def test_the_journals_retention_matches_the_public_pages():
    assert (CLOUD / "journal.conf").read_text("utf-8").split("\n")[3:6] == [
        *("Storage=persistent", "MaxFileSec=6h", "MaxRetentionSec=162h")
    ]
    assert "LogNamespace=stempelwerk-cloud" in (CLOUD / "units/sandbox.conf").read_text("utf-8")


def test_the_compose_file_names_the_image_that_is_made_beside_it_and_publishes_to_this_machine_alone():
    text = (CLOUD / "compose.yaml").read_text("utf-8")
    assert "image: stempelwerk-cloud:VERSION\n" in text
    assert re.findall(r"ports: (\S+)", text) == ['["127.0.0.1:8000:8000"]']


def test_the_database_beside_the_image_has_one_version_and_sorts_as_no_system_changes():
    text = (CLOUD / "compose.yaml").read_text("utf-8")
    assert re.findall(r"image: postgres:(\S+)", text) == ["15.14-bookworm"]
    assert "POSTGRES_INITDB_ARGS: --locale=C.UTF-8 --encoding=UTF8\n" in text


def test_nightly_backups_are_counted_and_not_dated(tmp_path: Path):
    unit = (CLOUD / "units/stempelwerk-cloud-backup.service").read_text("utf-8")
    line = re.search(r"^ExecStartPost=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    assert line is not None
    names = [f"nightly-2026-11-{day:02}-033000.tar.gz" for day in range(1, 21)]
    for name in [*names, "nightly-2031-11-21-033000.tar.gz", "before-update-from-1.tar.gz"]:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    script = line[1].replace("/var/backups/stempelwerk-cloud", str(tmp_path))
    subprocess.run(["/bin/sh", "-c", script], check=True)
    remaining = sorted(path.name for path in tmp_path.iterdir())
    assert remaining == ["before-update-from-1.tar.gz", *names[-13:], "nightly-2031-11-21-033000.tar.gz"]
