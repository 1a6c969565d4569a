"""What the packages put on a machine, looked at without one: scripts, units, alerts, the compose file."""

import re
import subprocess
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from stempelwerk_cloud.kit.operations.metrics import Metrics
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


def _sandbox_of(unit: str) -> list[str]:
    done = subprocess.run(["awk", "-f", SANDBOX_OF], input=unit, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_there_are_scripts_to_look_at():
    assert {path.name for path in SCRIPTS} >= {"preinst", "postinst", "postrm", "is-set-up", "check-audit"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_script_is_one_that_a_shell_reads(script):
    subprocess.run(["sh", "-n", script], check=True)


def test_check_takes_over_what_a_unit_allows_and_nothing_of_how_it_is_started():
    unit = "# /lib/x.service\n[Unit]\nAfter=a\n[Service]\nType=notify\nExecStart=/x\nRestart=always\nUser=x\n"
    drop_in = "# /etc/x.service.d/own.conf\n[Service]\n# why\nReadWritePaths=/srv\nWatchdogSec=1\n[Install]\nAlso=y\n"
    assert _sandbox_of(unit + drop_in) == ["User=x", "ReadWritePaths=/srv"]


def test_check_takes_over_every_wall_of_the_clocks_unit():
    found = {line.partition("=")[0] for line in _sandbox_of(CLOCK_UNIT)}
    assert {
        "SystemCallFilter",
        "ProtectSystem",
        "DevicePolicy",
        "User",
        "PrivateUsers",
        "RestrictAddressFamilies",
    } <= found
    assert not {name for name in found if name.startswith(("Exec", "Restart", "Timeout", "Watchdog", "Type"))}


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
def test_what_a_unit_runs_is_in_its_package(unit):
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
    ("screens", "shown"),
    [({}, False), ({"card0-HDMI-A-1": "disconnected"}, False), ({"card1-DSI-1": "connected"}, True)],
)
def test_the_touchscreens_page_is_shown_where_there_is_a_screen(tmp_path, screens, shown):
    for name, status in ({"card0-HDMI-A-2": "disconnected"} | screens).items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(status + "\n")
    assert (subprocess.run([EDGE / "lib/has-screen", tmp_path], check=False).returncode == 0) is shown
    assert subprocess.run([EDGE / "lib/has-screen", tmp_path / "nothing"], check=False).returncode == 1


@pytest.mark.parametrize(
    ("configuration", "port"),
    [
        ("[display]\nhost = '127.0.0.1'\nport = 8123 # ours\n[device]\nport = 1\n", 8123),
        ("[cloud]\nport = 1\n", 8090),
    ],
)
def test_the_touchscreen_shows_the_clocks_own_page_and_nothing_of_the_browsers(tmp_path, configuration, port):
    programs = tmp_path / "bin"
    programs.mkdir()
    # The agent answers at the second time.
    asked = 'echo "$3" >> "$ASKED"; [ "$(wc -l < "$ASKED")" -gt 1 ]'
    for name, what in (("python3", asked), ("chromium", 'printf "%s\\n" "$@"'), ("sleep", ":"), ("xset", ":")):
        (programs / name).write_text(f"#!/bin/sh\n{what}\n")
        (programs / name).chmod(0o755)
    config = tmp_path / "clock.toml"
    config.write_text(configuration)
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(tmp_path), "ASKED": str(tmp_path / "asked")}
    environment |= {"STEMPELWERK_CONFIG": str(config), "WAYLAND_DISPLAY": "wayland-0", "STATE_DIRECTORY": "/state"}
    done = subprocess.run([EDGE / "lib/kiosk"], env=environment, capture_output=True, text=True, check=True)
    address = f"http://127.0.0.1:{port}"
    assert (tmp_path / "asked").read_text().split() == [address] * 2
    said = done.stdout.splitlines()
    assert said[-1] == address
    assert {"--kiosk", "--hide-crash-restore-bubble", "--ozone-platform=wayland", "--user-data-dir=/state"} <= set(said)


def test_the_touchscreen_asks_its_own_machine_and_no_proxy(tmp_path):
    """Where the way to the cloud is a proxy, the machine's environment may name it to everybody."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, what in (("chromium", 'echo "$1"'), ("sleep", 'kill "$PPID"')):
        (programs / name).write_text(f"#!/bin/sh\n{what}\n")
        (programs / name).chmod(0o755)
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as page:
        threading.Thread(target=page.serve_forever, daemon=True).start()
        config = tmp_path / "clock.toml"
        config.write_text(f"[display]\nport = {page.server_port}\n")
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(tmp_path), "STEMPELWERK_CONFIG": str(config)}
        environment |= {"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}
        done = subprocess.run([EDGE / "lib/kiosk"], env=environment, capture_output=True, text=True, check=False)
        page.shutdown()
    assert done.stdout == "--kiosk\n"


def test_an_alert_asks_for_figures_that_there_are():
    text = (CLOUD / "alerts.yml").read_text("utf-8")
    known = {name for metric in Metrics().registry.collect() for name in (metric.name, f"{metric.name}_bucket")}
    asked = {name.removesuffix("_total") for name in re.findall(r"\bstempelwerk_\w+", text)}
    assert asked
    assert asked <= known


def test_what_the_public_pages_say_of_logs_is_what_the_journal_is_told():
    assert (CLOUD / "journal.conf").read_text("utf-8").split("\n")[3:6] == [
        *("Storage=persistent", "MaxFileSec=6h", "MaxRetentionSec=162h")
    ]
    assert "LogNamespace=stempelwerk-cloud" in (CLOUD / "units/sandbox.conf").read_text("utf-8")


def test_the_compose_file_names_the_image_that_is_made_beside_it_and_publishes_to_this_machine_alone():
    text = (CLOUD / "compose.yaml").read_text("utf-8")
    assert "image: stempelwerk-cloud:VERSION\n" in text
    assert re.findall(r"ports: (\S+)", text) == ['["127.0.0.1:8000:8000"]']
