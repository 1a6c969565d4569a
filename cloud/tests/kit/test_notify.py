"""Notifications to systemd: the service is ready, it stops, and only the first process reports."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from stempelwerk_cloud.kit.operations import process
from stempelwerk_cloud.kit.operations.process import READY, STOPPING, Notifier
from stempelwerk_tools.ports import reserved_port
from structlog.testing import capture_logs

from cloud.tests.kit.services import PATIENCE_S, Service, workers_of


@pytest.fixture(params=["path", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket of a service manager, named to the services that it starts."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@{tmp_path}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listening:
        listening.bind("\0" + name[1:] if name.startswith("@") else name)
        listening.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        yield listening


one_address = pytest.mark.parametrize("systemd", ["path"], indirect=True)
"""For real processes: other tests cover the forms of an address."""


def _nothing_more(systemd: socket.socket) -> bool:
    systemd.setblocking(False)
    try:
        systemd.recv(100)
    except BlockingIOError:
        return True
    finally:
        systemd.settimeout(PATIENCE_S)
    return False


def test_without_a_socket_a_report_does_nothing() -> None:
    for address in (None, ""):
        with capture_logs() as lines:
            Notifier(address).tell(READY)
        assert lines == []


def test_a_socket_that_is_gone_stops_nothing_and_stands_in_the_log(tmp_path: Path) -> None:
    with capture_logs() as lines:
        Notifier(str(tmp_path / "gone")).tell(READY)
    assert [(line["event"], line["state"]) for line in lines] == [("systemd_not_told", READY)]


def test_child_processes_do_not_inherit_the_socket(systemd: socket.socket) -> None:
    notifier = process.take_over()
    assert "NOTIFY_SOCKET" not in os.environ
    notifier.tell(READY)
    assert systemd.recv(100) == b"READY=1"


@one_address
def test_one_process_says_that_it_is_ready_when_it_answers_and_that_it_stops(
    systemd: socket.socket, start: Callable[..., Service], tmp_path: Path
) -> None:
    service = start(f"sqlite:///{tmp_path / 'stempelwerk.db'}")
    assert systemd.recv(100).decode() == READY
    assert service.call("/api/health")[0] == 200
    assert _nothing_more(systemd)
    assert service.stop() == 0
    assert systemd.recv(100).decode() == STOPPING
    assert _nothing_more(systemd)


@one_address
def test_workers_are_ready_when_all_of_them_are_and_systemd_hears_it_from_the_first_process_alone(
    systemd: socket.socket, start: Callable[..., Service], empty_postgres: str
) -> None:
    metrics = reserved_port(2)
    systemd.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    service = start(empty_postgres, "--workers", "2", "--metrics-port", str(metrics))
    datagram, controls, *_ = systemd.recvmsg(100, socket.CMSG_SPACE(12))
    sender = int.from_bytes(controls[0][2][:4], "little")
    assert (datagram.decode(), sender) == (READY, service.process.pid)
    assert service.call("/api/health")[0] == 200
    for worker in workers_of(service):
        environment = Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")
        assert [variable for variable in environment if variable.startswith(b"NOTIFY_SOCKET=")] == []
    os.kill(workers_of(service)[0], signal.SIGKILL)
    service.wait_until_up()
    assert _nothing_more(systemd)
    assert service.stop() == 0
    assert systemd.recv(100).decode() == STOPPING
    assert _nothing_more(systemd)


@one_address
def test_a_service_that_refuses_to_start_is_never_ready(
    systemd: socket.socket, start: Callable[..., Service], tmp_path: Path
) -> None:
    service = start(f"sqlite:///{tmp_path / 'x.db'}", "--workers", "2")
    assert service.process.wait(PATIENCE_S) == 1
    assert _nothing_more(systemd)
