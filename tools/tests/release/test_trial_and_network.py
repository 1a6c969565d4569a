"""A version on trial in a network with faults: the real launcher, the real agent, real HTTP and TLS.

The slot holds a program that hands over to the agent of this source, so that the agent itself is tried.
"""

import os
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
import stempelwerk_edge
import trustme
from stempelwerk_edge.machine.hardware import own_address
from stempelwerk_edge.updates import launcher
from stempelwerk_edge.updates.launcher import Places, read, slots, store
from stempelwerk_edge.updates.slots import fill
from stempelwerk_tools.ports import reserved_port

from edge.tests.updates.repository import SignedRepository, lay_down, places, program
from tools.tests.processes.service_process import ServiceProcess, wait_for

VERSION = "1.1.0"
TRIAL_S = 40
PATIENCE_S = 120
AGENT = """\
def main():
    import sys
    sys.path[:] = {path!r}
    for name in [name for name in sys.modules if name.partition(".")[0] == "stempelwerk_edge"]:
        del sys.modules[name]
    from stempelwerk_edge.__main__ import main as run
    return run()
"""
PORTAL = "http://portal.test/login"


class Front(ThreadingHTTPServer):
    """A proxy between clock and service. `answer` None: every request is passed on."""

    daemon_threads = True

    def __init__(self, upstream: str, answer: tuple[int, dict[str, str], bytes] | None) -> None:
        super().__init__(("127.0.0.1", 0), _FrontHandler)
        self.upstream, self.answer = upstream, answer
        self.requests = 0


class _FrontHandler(BaseHTTPRequestHandler):
    server: Front

    def handle_one(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.requests += 1
        status, headers, content = self.server.answer or self._passed_on(body)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = handle_one  # noqa: N815 - the base class names them

    def _passed_on(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        headers = [(name, value) for name, value in self.headers.items() if name.lower() != "connection"]
        address = f"{self.server.upstream}{self.path}"
        answer = httpx.request(self.command, address, headers=headers, content=body, trust_env=False, timeout=30)
        return answer.status_code, {"Content-Type": answer.headers.get("Content-Type", "")}, answer.content

    def log_message(self, *_: object) -> None:
        """Writes nothing."""


@contextmanager
def fronting(upstream: str, answer: tuple[int, dict[str, str], bytes] | None) -> Iterator[Front]:
    front = Front(upstream, answer)
    thread = threading.Thread(target=front.serve_forever)
    thread.start()
    try:
        yield front
    finally:
        front.shutdown()
        thread.join()
        front.server_close()


@dataclass
class Clock:
    """One clock's folders, with the version on trial in a slot."""

    where: Places
    config: Path

    @classmethod
    def behind(cls, folder: Path, url: str, ca_file: Path | None = None) -> "Clock":
        folder.mkdir()
        repository = SignedRepository()
        where = places(folder, repository)
        source = [str(Path(stempelwerk_edge.__file__).parents[1]), *sys.path]
        code = AGENT.format(path=source)
        lay_down(where, repository, repository.add(VERSION, program(VERSION, code)))
        assert fill(where)
        config = folder / "clock.toml"
        authority = "" if ca_file is None else f'ca_file = "{ca_file}"'
        config.write_text(
            f'[cloud]\nurl = "{url}"\n{authority}\n[display]\nport = {reserved_port()}\n[device]\nserial = "SW-1"\n'
        )
        return cls(where, config)

    def begin_trial(self) -> None:
        [slot] = slots(self.where)
        trial = {"id": slot, "version": VERSION, "tries": 0, "reader": "absent", "reached_from": own_address()}
        store(self.where.record, {**self.record, "trial": trial})

    @property
    def record(self) -> dict[str, Any]:
        return read(self.where.record)


@contextmanager
def started(clock: Clock) -> Iterator[subprocess.Popen[str]]:
    """Starts the launcher like the unit; the resulting process ends with the block."""
    environment = {
        "STEMPELWERK_UPDATES": str(clock.where.base),
        "STEMPELWERK_PACKAGE": str(clock.where.package),
        "STEMPELWERK_TRIAL_S": str(TRIAL_S),
        "PATH": os.environ["PATH"],
    }
    command = [sys.executable, "-I", "-S", launcher.__file__, "run", "--config", str(clock.config)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def tls_service(folder: Path, authority: trustme.CA) -> Iterator[str]:
    """Yields a service with a certificate of this authority."""
    with fronting("", (200, {}, b"{}")) as front:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert("127.0.0.1").configure_cert(context)
        front.socket = context.wrap_socket(front.socket, server_side=True, do_handshake_on_connect=False)
        yield f"https://127.0.0.1:{front.server_address[1]}"


ANSWERS = {
    "proxy": (502, {"Content-Type": "text/html"}, b"<h1>Bad Gateway</h1>"),
    "portal": (200, {"Content-Type": "text/html"}, b"<h1>Willkommen</h1>"),
    "redirect": (302, {"Location": PORTAL}, b""),
}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    new_service = ServiceProcess(tmp_path / "service")
    new_service.create_founder()
    new_service.start()
    yield new_service
    new_service.kill()


@pytest.mark.prove
def test_the_network_condemns_no_version_and_it_is_kept_once_the_network_is_back(
    tmp_path: Path, service: ServiceProcess
) -> None:
    assert own_address() is not None
    stranger = tmp_path / "stranger.pem"
    trustme.CA().cert_pem.write_to_path(stranger)
    with ExitStack() as stack:
        fronts = {name: stack.enter_context(fronting(service.url, answer)) for name, answer in ANSWERS.items()}
        urls = {name: f"http://127.0.0.1:{front.server_address[1]}" for name, front in fronts.items()}
        clocks = {name: Clock.behind(tmp_path / name, url) for name, url in urls.items()}
        tls_url = stack.enter_context(tls_service(tmp_path, trustme.CA()))
        clocks["authority"] = Clock.behind(tmp_path / "authority", tls_url, stranger)

        for clock in clocks.values():
            clock.begin_trial()
        running = {name: stack.enter_context(started(clock)) for name, clock in clocks.items()}
        for name, process in running.items():
            output, _ = process.communicate(timeout=PATIENCE_S)
            record = clocks[name].record
            assert process.returncode == 0, (name, output)
            assert (record["trial"], record.get("failed")) == (None, None), (name, output)
            assert record["postponed"]["version"] == VERSION, (name, output)
        package_run = stack.enter_context(started(clocks["proxy"]))
        assert package_run.communicate(timeout=PATIENCE_S)[0].startswith("package 1.0.0 run")

        for front in fronts.values():
            front.answer = None
        for name in fronts:
            clocks[name].begin_trial()
        for name in fronts:
            stack.enter_context(started(clocks[name]))
        for name in fronts:
            wait_for(lambda name=name: clocks[name].record.get("kept"), f"{name} is kept", PATIENCE_S)
            record = clocks[name].record
            assert record["kept"]["version"] == VERSION
            assert (record["trial"], record["failed"], record["postponed"]) == (None, None, None)
