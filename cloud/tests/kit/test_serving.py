"""Real processes: they start, share a port, stop at once and leave no process."""

import io
import json
import os
import resource
import shutil
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import text
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations import in_use
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.users import commands
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_tools.ports import reserved_port

from cloud.tests.databases import ON_BOTH
from cloud.tests.kit.services import PATIENCE_S, Service, eventually, workers_of

pytestmark = ON_BOTH

MANY = 4
"""Comments of an open stream."""
LITTLE = 256
"""Open files that a process starts with, fewer than it may have."""


@pytest.fixture
def empty_sqlite(tmp_path: Path, sqlite_template: Path) -> str:
    """Returns the address of a database with the whole schema and no rows."""
    return f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'stempelwerk.db')}"


@dataclass(frozen=True)
class Course:
    """The observations of a service from its start to its stop: its answers by path, its limit of files, its log."""

    folder: Path
    answers: dict[str, int]
    files: tuple[int, int]
    status: int
    log: str

    def lines_of(self, event: str) -> list[dict[str, str]]:
        """Returns the lines of an event. Every line is JSON."""
        return [line for line in map(json.loads, self.log.splitlines()) if line["event"] == event]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Runs the command on an embedded database without data and pages, with few files and an unknown setting."""
    folder = tmp_path_factory.mktemp("embedded")
    limits_before = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert limits_before[1] > LITTLE
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEMPELWERK_PUBLIC_ADRESS", "https://zeit.example/SECRET")
        patch.setenv("STEMPELWERK_WITHOUT_BACKUP", "1")
        patch.setenv("STEMPELWERK_RESET_PASSWORD", "Willkommen2026")
        resource.setrlimit(resource.RLIMIT_NOFILE, (LITTLE, limits_before[1]))
        try:
            service = Service(f"sqlite:///{folder / 'new' / 'stempelwerk.db'}", folder, is_forked=False)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits_before)
    try:
        service.wait_until_up()
        answers = {path: service.call(path)[0] for path in ("/", "/api/health", "/api/nothing?token=SECRET")}
        files = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
        return Course(folder, answers, files, service.stop(), service.log.read_text())
    finally:
        service.process.kill()
        service.process.wait()


def test_an_embedded_service_migrates_itself_answers_and_stops_with_status_0(course: Course) -> None:
    assert course.answers["/api/nothing?token=SECRET"] == 404
    assert course.status == 0
    assert course.lines_of("no_mail_server")
    assert [line for line in map(json.loads, course.log.splitlines()) if "alembic" in str(line["logger"])] == []
    assert "SECRET" not in course.log


def test_a_reset_password_that_is_guessed_first_stands_in_the_log_by_its_settings_name(course: Course) -> None:
    (line,) = course.lines_of("guessable_reset_password")
    assert (line["level"], line["setting"]) == ("warning", "STEMPELWERK_RESET_PASSWORD")
    assert "Willkommen2026" not in course.log


def test_a_name_that_is_no_setting_stands_in_the_log_with_the_one_that_is_meant(course: Course) -> None:
    warnings = [(line["setting"], line["nearest"]) for line in course.lines_of("unknown_setting")]
    assert warnings == [("STEMPELWERK_PUBLIC_ADRESS", "STEMPELWERK_PUBLIC_URL")]
    assert "SECRET" not in course.log


def test_a_wrong_folder_of_pages_stands_in_the_log_and_keeps_no_clock_from_delivering(course: Course) -> None:
    (record,) = course.lines_of("no_web_app")
    assert (record["level"], record["setting"], record["folder"]) == (
        "error",
        "STEMPELWERK_WEB_DIR",
        str(course.folder),
    )
    assert course.answers["/"] == 404
    assert course.answers["/api/health"] == 200


def test_a_service_may_open_as_many_files_as_the_system_allows_it(course: Course) -> None:
    maximum = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    assert course.files == (maximum, maximum)


def test_too_few_connections_stand_in_the_log_at_the_start(
    start: Callable[..., Service], empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_POOL", "500")
    service = start(empty_postgres).wait_until_up()
    service.stop()
    (line,) = [line for line in service.lines() if line["event"] == "too_few_connections"]
    assert (line["need"], line["allowed"]) == (513, 197)
    assert line["set"] == "STEMPELWERK_DATABASE_POOL=184, or max_connections=516"


def _founder(service: Service, username: str) -> None:
    """Creates a person who can log in."""
    with Database(service.environment["STEMPELWERK_DATABASE_URL"]) as database:
        settings = Settings(data_dir=Path(service.environment["STEMPELWERK_DATA_DIR"]))
        with unit_of_work(build_platform(settings, database=database), SYSTEM) as work:
            commands.create(work, username, passwords.hash_password("sehr lang und geheim"))


def _stream_of(service: Service, username: str) -> Request:
    """Logs the operator's person in; returns the request for the stream of their own entries."""
    credentials = {"company": "Plattform", "username": username, "password": "sehr lang und geheim"}
    login = json.loads(service.call("/api/login", credentials)[1])
    address = f"http://127.0.0.1:{service.port}/api/users/{login['userId']}/times/stream"
    return Request(address, headers={"Authorization": f"Bearer {login['token']}"})


def test_an_open_stream_does_not_hold_up_the_stop(start: Callable[..., Service], empty_sqlite: str) -> None:
    service = start(empty_sqlite).wait_until_up()
    _founder(service, "g")
    with urlopen(_stream_of(service, "g"), timeout=PATIENCE_S) as stream:
        assert stream.readline().startswith(b":")
        service.process.terminate()
        while stream.readline():
            continue
    assert service.process.wait(PATIENCE_S) == 0
    assert "graceful shutdown exceeded" not in service.log.read_text()


@pytest.mark.parametrize("command", [["reset-protected", "--password-stdin"], ["remove-protected"]])
def test_a_command_ends_the_open_streams_of_a_running_service(
    start: Callable[..., Service], empty_postgres: str, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    service = start(empty_postgres).wait_until_up()
    for name, value in service.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", io.StringIO("sehr lang und geheim\n"))
    for name in ("g", "h"):
        _founder(service, name)
    with urlopen(_stream_of(service, "g"), timeout=PATIENCE_S) as stream:
        assert stream.readline().startswith(b":")
        assert main([*command, "--username", "g"]) == 0  # from this process, which is not the service's
        comments = 0
        while line := stream.readline():
            comments += line.startswith(b":")
            assert comments < MANY


def test_a_taken_port_is_said_in_one_line(
    start: Callable[..., Service],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = f"sqlite:///{tmp_path / 'stempelwerk.db'}"
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    with socket.create_server(("127.0.0.1", 0)) as blocker:
        port = blocker.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
        assert capsys.readouterr().err == f"Cannot listen on 127.0.0.1:{port}: Address already in use.\n"
        service = start(url, "--metrics-port", str(port))
        assert service.process.wait(PATIENCE_S) == 1
        last_line = service.log.read_text().splitlines()[-1]
        assert last_line == f"Cannot serve metrics on 127.0.0.1:{port}: Address already in use."


@pytest.mark.parametrize("taken_index", [0, 1])
def test_a_taken_port_of_metrics_is_said_at_the_start_whichever_worker_it_is_for(
    start: Callable[..., Service], empty_postgres: str, taken_index: int
) -> None:
    first = reserved_port(2)
    with socket.create_server(("127.0.0.1", first + taken_index)):
        service = start(empty_postgres, "--workers", "2", "--metrics-port", str(first))
        assert service.process.wait(PATIENCE_S) == 1
    message = f"Cannot serve metrics on 127.0.0.1:{first + taken_index}: Address already in use.\n"
    assert service.log.read_text() == message


def test_ports_of_metrics_beyond_the_highest_are_said_at_the_start(
    start: Callable[..., Service], empty_postgres: str
) -> None:
    service = start(empty_postgres, "--workers", "2", "--metrics-port", "65535")
    assert service.process.wait(PATIENCE_S) == 1
    assert service.log.read_text() == "Cannot serve metrics on 127.0.0.1:65536: the highest port is 65535.\n"


def test_several_processes_share_a_port_measure_apart_and_are_started_again_on_their_ports_of_metrics(
    start: Callable[..., Service], empty_postgres: str
) -> None:
    metrics = reserved_port(2)
    service = start(empty_postgres, "--workers", "2", "--metrics-port", str(metrics)).wait_until_up()

    def measured(number: int) -> bool:
        with urlopen(f"http://127.0.0.1:{metrics + number}/metrics", timeout=PATIENCE_S) as answer:
            return b"stempelwerk_requests_total" in answer.read()

    for number in range(2):
        eventually(lambda number=number: measured(number))
    for number, killed in enumerate(workers_of(service)):
        os.kill(killed, signal.SIGKILL)
        with pytest.raises(OSError, match="in use"), socket.create_server(("127.0.0.1", metrics + number)):
            pass
        eventually(lambda killed=killed: len(workers_of(service)) == 2 and killed not in workers_of(service))
        service.wait_until_up()
    for number in range(2):
        assert measured(number)
    assert service.stop() == 0
    with pytest.raises(URLError):
        service.call("/api/health")


@pytest.fixture(params=["empty_sqlite", "empty_postgres"])
def served_url(request: pytest.FixtureRequest) -> str:
    """An address to serve, once for each database."""
    url: str = request.getfixturevalue(request.param)
    return url


def test_beside_a_service_nothing_is_restored_and_a_killed_one_is_not_in_the_way(
    start: Callable[..., Service],
    served_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    service = start(served_url).wait_until_up()
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", served_url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path / "data"))
    file = str(tmp_path / "backup.tar.gz")
    assert main(["backup", file]) == 0
    capsys.readouterr()
    assert main(["restore", file, "--replace"]) == 2
    assert capsys.readouterr().err == "A service runs on this database: stop it first, with all its processes.\n"
    service.process.kill()
    service.process.wait()
    eventually(lambda: main(["restore", file, "--replace"]) == 0)


def test_a_service_does_not_start_while_its_database_is_being_restored(
    start: Callable[..., Service], served_url: str
) -> None:
    with Database(served_url, as_owner=True) as database, in_use.alone(database):
        service = start(served_url)
        assert service.process.wait(PATIENCE_S) == 2
    (line,) = service.log.read_text().splitlines()
    assert "being restored" in line


def test_the_second_service_on_one_embedded_database_is_refused(start: Callable[..., Service], tmp_path: Path) -> None:
    both = [start(f"sqlite:///{tmp_path / 'new' / 'stempelwerk.db'}") for _ in range(2)]
    eventually(lambda: any(service.process.poll() is not None for service in both))
    (refused,) = [service for service in both if service.process.poll() is not None]
    (serving,) = [service for service in both if service is not refused]
    (line,) = refused.log.read_text().splitlines()
    assert (refused.process.poll(), line.startswith("Another service runs on this database")) == (2, True)
    serving.wait_until_up()


def test_a_killed_service_is_not_in_the_way_of_the_next(start: Callable[..., Service], empty_sqlite: str) -> None:
    killed = start(empty_sqlite).wait_until_up()
    killed.process.kill()
    killed.process.wait()
    start(empty_sqlite).wait_until_up()


def test_a_service_waits_for_the_one_before_it_that_is_ending(
    empty_sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as ending, Database(empty_sqlite) as database:
        ending.enter_context(in_use.serving(database))
        monkeypatch.setattr(in_use.time, "sleep", lambda _seconds: ending.close())
        with in_use.serving(database):
            monkeypatch.setattr(in_use, "WAIT_S", 0.0)
            with pytest.raises(in_use.InUse), in_use.serving(database):
                pass


def test_a_lock_that_went_with_its_connection_is_taken_again(empty_postgres: str) -> None:
    holder = text(
        "SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database"
        " WHERE locktype = 'advisory' AND granted AND datname = current_database()"
    )
    end = text("SELECT pg_terminate_backend(:pid)")

    def refused() -> bool:
        try:
            with in_use.alone(other_database):
                return False
        except in_use.InUse:
            return True

    with (
        Database(empty_postgres) as database,
        Database(empty_postgres) as other_database,
        Database(empty_postgres, as_owner=True) as owner,
    ):

        def holders() -> list[int]:
            with owner.read(SYSTEM) as session:
                return list(session.scalars(holder))

        with in_use.serving(database):
            assert refused()
            (first,) = holders()
            with owner.write(SYSTEM) as session:
                session.execute(end, {"pid": first})
            eventually(lambda: holders() not in ([], [first]))
            assert refused()
        eventually(lambda: not refused())


def test_workers_do_not_outlive_the_process_that_started_them(
    start: Callable[..., Service], empty_postgres: str
) -> None:
    service = start(empty_postgres, "--workers", "2").wait_until_up()
    workers = workers_of(service)
    service.process.kill()
    service.process.wait()
    eventually(lambda: not any(_running(worker) for worker in workers))


def _running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_released_lock_blocks_no_service(empty_postgres: str) -> None:
    with Database(empty_postgres) as first, Database(empty_postgres) as second:
        for _ in range(50):
            with in_use.alone(first):
                pass
            with in_use.alone(second):
                pass
            with in_use.serving(first):
                pass
