"""A service ends within its bound after SIGTERM, whatever it is doing, and its children with it."""

import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_cloud.serving import STOP_WITHIN_S
from stempelwerk_tools.postgres import temporary_server

from tools.tests.processes.clock_process import PATIENCE_S
from tools.tests.processes.service_process import FOUNDER, OPERATOR, PASSWORD, ServiceProcess, wait_for

BUSY = """
import json, sys
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.office.exports import service as exports
from stempelwerk_cloud.office.statement import service as statement

small = statement.statement_of

def large(*args):
    made = small(*args)
    content = json.loads(made.content)
    content["bookings"] = 200_000 * [{"date": content["month"] + "-01", "minutes": 60, "reason": "Fahrt"}]
    return made._replace(content=json.dumps(content).encode())

def endless(*args):
    while True:
        pass

statement.statement_of, exports.check = large, endless
sys.exit(main(sys.argv[1:]))
"""
"""The service, but a statement takes minutes to draw, and the check of an export never ends."""
MONTH = "2026-01"
PEOPLE = 2000


class Caller:
    """The operator's administrator, whose calls run while the test goes on."""

    def __init__(self, service: ServiceProcess, pool: ThreadPoolExecutor) -> None:
        self._client = httpx.Client(base_url=service.url, timeout=PATIENCE_S, trust_env=False)
        self._pool = pool
        login = self._client.post("/api/login", json={"company": OPERATOR, "username": FOUNDER, "password": PASSWORD})
        self.token, self.id = login.json()["token"], login.json()["userId"]
        self._client.headers["authorization"] = f"Bearer {self.token}"
        self.company_id = self._client.post("/api/companies", json={"name": "Tischlerei"}).json()["id"]

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def get(self, path: str) -> httpx.Response:
        return self._client.get(path)

    def begin(self, path: str) -> Future[httpx.Response]:
        return self._pool.submit(self.get, path)

    def import_people(self) -> httpx.Response:
        table = "\n".join(["Benutzername;Tag-ID", *(f"Person {number};04A0{number:06X}" for number in range(PEOPLE))])
        path = f"/api/companies/{self.company_id}/users/import"
        return self._client.post(path, files={"file": ("leute.csv", table.encode())})

    def begin_import(self) -> None:
        self._pool.submit(self.import_people)
        wait_for(lambda: self.import_people().status_code == 429, "the import is at work")

    def begin_upload(self, port: int) -> socket.socket:
        """Sends a tenth of a body and keeps the connection open."""
        connection = socket.create_connection(("127.0.0.1", port))
        head = f"POST /api/companies/{self.company_id}/users/import HTTP/1.1\r\nHost: localhost\r\n"
        head += f"Authorization: Bearer {self.token}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        connection.sendall(f"{head}Content-Length: 100000\r\n\r\n".encode() + b"-" * 10_000)
        return connection


def children(pid: int) -> set[int]:
    """Returns all processes below this one."""
    descendants: set[int] = set()
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        descendants |= set(map(int, listing.read_text().split()))
    return descendants | {each for child in descendants for each in children(child)}


def is_drawing(service: ServiceProcess) -> bool:
    """Returns whether a child process of the service is at work."""
    assert service.process is not None
    commands = [Path(f"/proc/{child}/cmdline") for child in children(service.process.pid)]
    return any(command.exists() and b"subprocesses.child" in command.read_bytes() for command in commands)


def assert_ends_in_time(service: ServiceProcess) -> None:
    """Checks that SIGTERM ends the service long before its work would be done, and leaves no process."""
    assert service.process is not None
    below = children(service.process.pid)
    service.process.terminate()
    assert service.process.wait(PATIENCE_S) == 0, service.output()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below), "its children have ended")


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as executor:
        yield executor


Begin = Callable[..., ServiceProcess]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    with ExitStack() as stack:

        def start(*arguments: str, **how: Any) -> ServiceProcess:
            service = ServiceProcess(tmp_path / "service", **how)
            if "url" in how:
                assert service.command("migrate").returncode == 0
            service.create_founder()
            service.start(*arguments)
            stack.callback(service.kill)
            return service

        yield start


@dataclass
class Drawing:
    """A service that draws a statement, and the caller who waits for it."""

    service: ServiceProcess
    caller: Caller
    answer: Future[httpx.Response]


@pytest.fixture
def busy(begin: Begin, tmp_path: Path, pool: ThreadPoolExecutor) -> Iterator[Drawing]:
    program = tmp_path / "busy.py"
    program.write_text(BUSY, encoding="utf-8")
    service = begin(program=(sys.executable, str(program)))
    with Caller(service, pool) as caller:
        answer = caller.begin(f"/api/users/{caller.id}/statement?format=pdf")
        wait_for(lambda: is_drawing(service), "a statement is drawn")
        yield Drawing(service, caller, answer)


@pytest.mark.proof("programs")
def test_a_service_ends_in_time_while_it_draws_imports_computes_and_receives(busy: Drawing) -> None:
    service, caller = busy.service, busy.caller
    caller.begin_import()
    with caller.begin_upload(service.port):
        caller.begin(f"/api/companies/{caller.company_id}/export-check?month={MONTH}")
        assert is_drawing(service)
        assert_ends_in_time(service)
    assert "stop_forced" in service.output()


@pytest.mark.proof("programs")
def test_a_service_that_only_draws_ends_by_itself_and_answers_who_waits(busy: Drawing) -> None:
    assert_ends_in_time(busy.service)
    assert busy.answer.result().status_code == 503
    assert "stop_forced" not in busy.service.output()


@pytest.mark.proof("programs")
def test_several_workers_end_in_time_with_all_that_they_do(begin: Begin, pool: ThreadPoolExecutor) -> None:
    with temporary_server() as server:
        service = begin("--workers", "2", url=server.new_database())
        with Caller(service, pool) as caller:
            caller.begin_import()
            with caller.begin_upload(service.port):
                assert_ends_in_time(service)


def test_the_bound_leaves_systemd_nothing_to_kill() -> None:
    unit = Path("cloud/deploy/units/stempelwerk-cloud.service").read_text(encoding="utf-8")
    (patience,) = [line.removeprefix("TimeoutStopSec=") for line in unit.splitlines() if "TimeoutStopSec" in line]
    assert STOP_WITHIN_S == 10 < int(patience)
