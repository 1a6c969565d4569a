"""Runs the application on a socket: in one process, or in several that share it.

Stopping ends the event streams first, so that nobody waits for a browser that only listens. Several processes need
PostgreSQL; each serves its metrics on a port of its own, counted up from `--metrics-port`.
"""

import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from types import FrameType

import structlog
import uvicorn

from stempelwerk_cloud.app import Service, create_app
from stempelwerk_cloud.kit.operations import fd_limit, logs
from stempelwerk_cloud.kit.operations.metrics import MetricsServer
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.settings import Settings

GRACE_S = 10
KEEP_ALIVE_S = 75
RESTART_PAUSE_S = 1.0
COLLECT_EVERY = (20_000, 20, 20)
"""How many new objects, and rounds, start a garbage collection: a merge makes thousands that die without one."""

log = structlog.get_logger(__name__)


class PortTaken(Exception):
    """The message names the address."""


@dataclass(frozen=True)
class Address:
    host: str
    port: int


class GracefulServer(uvicorn.Server):
    """Uvicorn's server, which ends the event streams before it waits for connections to close."""

    def __init__(self, config: uvicorn.Config, platform: Platform) -> None:
        super().__init__(config)
        self._platform = platform

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._platform.live.close()
        await super().shutdown(sockets)


def bind(address: Address) -> socket.socket:
    """A listening socket. Raises PortTaken."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except OSError as error:
        listener.close()
        raise PortTaken(f"Cannot listen on {address.host}:{address.port}: {error.strerror}.") from error
    listener.listen(2048)
    return listener


def say_what_is_missing(settings: Settings) -> None:
    """One line in the log, however many processes serve, for what the installation goes without."""
    logs.configure()
    if settings.smtp_url is None:
        log.warning("no_mail_server", effect="e-mail steps of the login are skipped")


def serve(listener: socket.socket, metrics: Address | None) -> None:
    """Serves until SIGTERM or SIGINT; returns once everything is closed. Raises PortTaken for the metrics' port."""
    logs.configure()
    fd_limit.allow_all()
    app = create_app()
    platform: Platform = app.state.platform
    exporter = _exporter(platform, metrics)
    # What has been made by now stays for ever; looking through it again and again costs a tenth of the work.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_EVERY)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        lifespan="on",
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )
    server = GracefulServer(config, platform)
    # From now on, so that a signal during the start is not lost; uvicorn raises it again when it is done.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, server.handle_exit)
    try:
        server.run([listener])
    finally:
        if exporter is not None:
            exporter.stop()


def _exporter(platform: Platform, address: Address | None) -> MetricsServer | None:
    if address is None:
        return None
    try:
        exporter = MetricsServer(platform.metrics, address.host, address.port)
    except OSError as error:
        raise PortTaken(f"Cannot serve metrics on {address.host}:{address.port}: {error.strerror}.") from error
    exporter.start()
    return exporter


class Workers:
    """Several processes on one socket; one that dies is started again, and all end with this one."""

    def __init__(self, listener: socket.socket, count: int, metrics: Address | None) -> None:
        self._listener = listener
        self._metrics = metrics
        self._stopping = threading.Event()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._count = count

    def run(self) -> None:
        logs.configure()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        self._processes = [self._start(index) for index in range(self._count)]
        while not self._stopping.wait(0.2):
            self._mend()
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.wait()
            _close_leash(process)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping.set()

    def _start(self, index: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "stempelwerk_cloud", "serve", "--fd", str(self._listener.fileno())]
        if self._metrics is not None:
            command += ["--metrics-host", self._metrics.host, "--metrics-port", str(self._metrics.port + index)]
        # The pipe is a leash: it breaks with this process, however that ends.
        return subprocess.Popen(command, pass_fds=[self._listener.fileno()], stdin=subprocess.PIPE)  # noqa: S603 -- our own program

    def _mend(self) -> None:
        for index, process in enumerate(self._processes):
            if process.poll() is not None and not self._stopping.is_set():
                log.error("worker_died", worker=index, status=process.returncode)
                _close_leash(process)
                time.sleep(RESTART_PAUSE_S)
                self._processes[index] = self._start(index)


def _close_leash(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def follow_leash() -> None:
    """In a worker: stops it when the process that started it is gone."""

    def wait() -> None:
        while os.read(0, 1):
            continue
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="leash", daemon=True).start()


def inherited(fd: int) -> socket.socket:
    """The listening socket that a worker was handed."""
    return socket.socket(fileno=fd)


__all__ = [
    "Address",
    "PortTaken",
    "Service",
    "Workers",
    "bind",
    "follow_leash",
    "inherited",
    "say_what_is_missing",
    "serve",
]
