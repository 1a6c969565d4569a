"""The kiosk and its browser, here a program that does as little: profile, process group, the way to the agent."""

import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from stempelwerk_edge.display import kiosk
from stempelwerk_edge.display.kiosk import Agent, Report, agent_address, end, renew_profile, start


@contextmanager
def agent_that_says(status: int, body: bytes) -> Iterator[Agent]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silent."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield Agent(lambda: f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body", "report"),
    [
        (200, b'{"heardS": 1.5, "upS": 20}', Report(1.5, 20.0)),
        (200, b'{"heardS": null, "upS": 20}', Report(None, 20.0)),
        (404, b'{"heardS": 1.5, "upS": 20}', None),
        (200, b"<html>", None),
        (200, b"[]", None),
        (200, b'{"heardS": 1.5}', None),
        (200, b'{"heardS": "never", "upS": 20}', None),
    ],
)
def test_only_an_agent_that_knows_signs_of_life_reports_on_a_page(
    status: int, body: bytes, report: Report | None
) -> None:
    with agent_that_says(status, body) as agent:
        assert agent.report("a") == report


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("[display]\nport = 8099 # ours", "http://127.0.0.1:8099"),
        ("display.port = 8099", "http://127.0.0.1:8099"),
        ("display = {port = 8_099}", "http://127.0.0.1:8099"),
        ("[device]\nport = 1\n[ 'display' ]\r\n\"port\"=8099\r\n", "http://127.0.0.1:8099"),
        ("\ufeff[display]\nhost = '::1'", "http://[::1]:8090"),
        ("[display]\nhost = 'localhost'", "http://127.0.0.1:8090"),
        ("display = 'none'", "http://127.0.0.1:8090"),
        ("[display", "http://127.0.0.1:8090"),
        (None, "http://127.0.0.1:8090"),
    ],
)
def test_the_page_is_looked_for_where_the_configuration_puts_it_however_it_is_spelled(
    tmp_path: Path, text: str | None, address: str
) -> None:
    configuration = tmp_path / "clock.toml"
    if text is not None:
        configuration.write_text(text, "utf-8")
    assert agent_address(configuration) == address


def test_a_kiosk_follows_its_agent_to_the_address_of_a_changed_configuration(tmp_path: Path) -> None:
    configuration = tmp_path / "clock.toml"
    kiosks = Agent(lambda: agent_address(configuration))
    configuration.write_text("display.port = 9")
    assert kiosks.report("a") is None
    with agent_that_says(200, b'{"heardS": 1.5, "upS": 20}') as agent:
        configuration.write_text(f"display.port = {agent.address().rpartition(':')[2]}")
        assert kiosks.report("a") == Report(1.5, 20.0)


def test_an_agent_that_is_away_reports_nothing() -> None:
    assert Agent(lambda: "http://127.0.0.1:9").report("a") is None


def test_no_proxy_is_asked_for_the_machine_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with agent_that_says(200, b'{"heardS": null, "upS": 20}') as agent:
        agent.wait()
        assert agent.report("a") is not None


def test_a_profile_loses_its_locks_and_all_else_but_the_users_home(tmp_path: Path) -> None:
    (tmp_path / "SingletonLock").symlink_to("another-host-4711")
    (tmp_path / "SingletonSocket").symlink_to("/tmp/org.chromium.Chromium.x/SingletonSocket")
    (tmp_path / "Last Version").write_text("999.0.0.0")
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default/Preferences").write_text("{")
    outside = tmp_path / ".cache"
    outside.mkdir()
    (tmp_path / "Link").symlink_to(outside)
    renew_profile(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == [".cache"]


def test_all_that_a_browser_started_ends_with_it_also_what_hangs_or_does_not_listen(tmp_path: Path) -> None:
    renderer = "import os, signal; signal.signal(15, signal.SIG_IGN); print(os.getpid(), flush=True); signal.pause()"
    browser = "import sys, subprocess as s; s.run([sys.executable, '-c', sys.argv[1]], stdout=open(sys.argv[2], 'w'))"
    os.mkfifo(tmp_path / "output")
    process = start([sys.executable, "-c", browser, renderer, str(tmp_path / "output")])
    with (tmp_path / "output").open() as output:
        os.kill(int(output.readline()), signal.SIGSTOP)
        end(process)
        assert output.read() == ""  # its last writer is gone
    assert process.returncode == -signal.SIGTERM


def test_a_second_kiosk_leaves_the_first_ones_profile_alone(tmp_path: Path) -> None:
    (tmp_path / "Default").mkdir()
    with (tmp_path / ".kiosk").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.run(
            [sys.executable, kiosk.__file__, tmp_path / "clock.toml", tmp_path, "/bin/true"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert (second.returncode, "shown already" in second.stderr) == (1, True)
    assert (tmp_path / "Default").is_dir()
