"""Runs the application on a socket: in one process, or in several that share it.

Stopping ends the event streams first, so that the shutdown does not wait for browsers that only listen. Several
processes need PostgreSQL; each serves its metrics on a separate port, counted up from `--metrics-port`. The first
process listens on all of these ports and hands them on, so that no other program takes one while a worker is restarted;
and it reports to systemd that the service is ready once all workers are.
"""

import asyncio
import contextlib
import gc
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import structlog
import uvicorn

from stempelwerk_cloud.app import Service, create_app
from stempelwerk_cloud.configuration import HIGHEST_PORT, PREFIX, Settings, unknown
from stempelwerk_cloud.kit.http import connection_limits
from stempelwerk_cloud.kit.http.connection_limits import ConnectionLimiter
from stempelwerk_cloud.kit.operations import fd_limit, logs, notify, service_time
from stempelwerk_cloud.kit.operations.metrics import MetricsServer
from stempelwerk_cloud.kit.operations.notify import Notifier
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords

STOP_WITHIN_S = 10.0
"""The time from SIGTERM to the end of the process."""
GRACE_S = 5
"""The time for requests in progress. Child processes end a second earlier, so that their callers get an answer."""
LAST_MOMENT_S = 1.0
"""The process exits this many seconds before the bound, and logs it."""
KEEP_ALIVE_S = 75
RESTART_PAUSE_S = 1.0
COLLECT_EVERY = (20_000, 20, 20)
"""Thresholds of new objects, and rounds, for a garbage collection: a merge makes thousands that are freed without one.
"""
TURN_S = 0.0002
"""The switch interval of threads that compute. An answer waits that long after each of its dozens of database queries:
25 of them took 430 ms with Python's 5 ms next to a busy thread, and 44 ms with 1 ms; with this value employees wait a
fifth less (p95) than with 1 ms during an administrator's heaviest page.
"""

Tell = Callable[[str], None]
"""Told `notify.READY` when requests are accepted, and `notify.STOPPING` when no more are."""

log = structlog.get_logger(__name__)


class PortTaken(Exception):
    """The service cannot listen on a configured address, for example because another program does. The message names
    the address.
    """


@dataclass(frozen=True)
class Address:
    host: str
    port: int


class GracefulServer(uvicorn.Server):
    """Uvicorn's server. Reports when it is ready, ends event streams before connections, and exits in time."""

    def __init__(self, config: uvicorn.Config, platform: Platform, tell: Tell) -> None:
        super().__init__(config)
        self._platform = platform
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell(notify.READY)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            # The kernel's alarm also ends a process whose foreign code holds Python's lock.
            signal.setitimer(signal.ITIMER_REAL, STOP_WITHIN_S)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._tell(notify.STOPPING)
        _exit_after(STOP_WITHIN_S - LAST_MOMENT_S)
        asyncio.get_running_loop().call_later(GRACE_S - 1, self._platform.subprocesses.end)
        self._platform.live.close()
        await super().shutdown(sockets)


def _exit_after(seconds: float) -> None:
    """Ends this process after these seconds, because Python joins all threads at its end, also one that computes.

    Committed transactions stay, all others are rolled back, as after a power cut.
    """

    def exit_now() -> None:
        log.warning("stop_forced", threads=sorted(thread.name for thread in threading.enumerate()))
        os._exit(0)

    clock = threading.Timer(seconds, exit_now)
    clock.daemon = True
    clock.start()


def bind(address: Address, purpose: str = "listen") -> socket.socket:
    """Listens on the address. `purpose`: for the error message. Raises PortTaken."""
    if address.port > HIGHEST_PORT:
        raise PortTaken(f"Cannot {purpose} on {address.host}:{address.port}: the highest port is {HIGHEST_PORT}.")
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except OSError as error:
        listener.close()
        raise PortTaken(f"Cannot {purpose} on {address.host}:{address.port}: {error.strerror}.") from error
    listener.listen(2048)
    return listener


def bind_metrics(first: Address | None, count: int) -> list[socket.socket]:
    """Listens for each serving process, counted up from the first port. PortTaken closes all of them."""
    if first is None:
        return []
    with ExitStack() as stack:
        listeners = [
            stack.enter_context(bind(Address(first.host, first.port and first.port + index), "serve metrics"))
            for index in range(count)
        ]
        stack.pop_all()
    return listeners


def log_unknown_settings() -> None:
    """Logs each name in the environment that looks like a setting but is unknown."""
    unknown_settings = unknown(os.environ)
    if unknown_settings:
        logs.configure()
    for name, nearest in unknown_settings.items():
        log.warning("unknown_setting", setting=name, nearest=nearest)


def _has_pages(folder: Path) -> bool:
    return (folder / "index.html").is_file()


def log_missing_settings(settings: Settings) -> None:
    """Logs one line, for any number of processes, for each missing part of the installation."""
    logs.configure()
    if settings.smtp_url is None:
        log.warning("no_mail_server", effect="e-mail steps of the login are skipped")
    if settings.reset_password is not None and passwords.find_refusal(settings.reset_password) is not None:
        advice = "choose another, or unset it for random ones"
        log.warning("guessable_reset_password", setting=f"{PREFIX}RESET_PASSWORD", advice=advice)
    if not _has_pages(settings.web_dir):
        # No reason to stop: clocks can deliver without pages.
        tell = log.error if "web_dir" in settings.model_fields_set else log.warning
        folder = str(settings.web_dir.absolute())
        tell("no_web_app", folder=folder, setting=f"{PREFIX}WEB_DIR", effect="no page is served, only the API")


def serve(listener: socket.socket, metrics: socket.socket | None, tell: Tell = lambda _state: None) -> None:
    """Serves until SIGTERM or SIGINT; returns once everything is closed. `metrics`: where they are served."""
    logs.configure()
    fd_limit.allow_all()
    app = create_app()
    platform: Platform = app.state.platform
    _judge_time(platform)
    exporter = None if metrics is None else MetricsServer(platform.metrics, metrics)
    if exporter is not None:
        exporter.start()
    # The objects made so far stay for ever; collecting garbage among them takes a tenth of the work.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_EVERY)
    sys.setswitchinterval(TURN_S)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=connection_limits.protocol(
            ConnectionLimiter(platform.settings.max_connections, platform.settings.trusted_proxies)
        ),
        lifespan="on",
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )
    server = GracefulServer(config, platform, tell)
    # Installed here, so that a signal during the start is not lost; uvicorn raises it again when it is done.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, server.handle_exit)
    try:
        server.run([listener])
    finally:
        if exporter is not None:
            exporter.stop()


def _judge_time(platform: Platform) -> None:
    """Judges the time before the first clock is answered: a machine may have begun with any."""
    try:
        service_time.observe(platform)
    except Exception as error:  # such as a database that does not answer just now
        log.error("job_failed", job="service_time", exc_info=error)


class Workers:
    """Several processes on one socket; one that dies is started again, and all end with this one.

    `metrics`: a socket for each, or empty.
    """

    def __init__(
        self, listener: socket.socket, count: int, metrics: Sequence[socket.socket], notifier: Notifier
    ) -> None:
        self._listener = listener
        self._metrics = metrics
        self._notifier = notifier
        self._stopping = threading.Event()
        self._stop_by = math.inf
        self._processes: list[subprocess.Popen[bytes]] = []
        self._count = count

    def run(self) -> None:
        logs.configure()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        with _Ready() as ready:
            self._processes = [self._start(index, ready) for index in range(self._count)]
            has_notified = False
            while not self._stopping.wait(0.2):
                self._mend(ready)
                if not has_notified and ready.all(self._processes):
                    self._notifier.tell(notify.READY)
                    has_notified = True
            self._notifier.tell(notify.STOPPING)
            for process in self._processes:
                process.terminate()
            for index, process in enumerate(self._processes):
                try:
                    process.wait(max(0.0, self._stop_by - time.monotonic()))
                except subprocess.TimeoutExpired:
                    log.error("worker_killed", worker=index)
                    process.kill()
                    process.wait()
                _close_leash(process)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_by = min(self._stop_by, time.monotonic() + STOP_WITHIN_S)
        self._stopping.set()

    def _start(self, index: int, ready: "_Ready") -> subprocess.Popen[bytes]:
        handed = {"--fd": self._listener.fileno(), "--ready-fd": ready.worker_end}
        if self._metrics:
            handed["--metrics-fd"] = self._metrics[index].fileno()
        command = [sys.executable, "-I", "-m", "stempelwerk_cloud", "serve"]
        command += [word for name, fd in handed.items() for word in (name, str(fd))]
        # The pipe is a leash: it breaks with this process, however that ends.
        return subprocess.Popen(command, pass_fds=list(handed.values()), stdin=subprocess.PIPE)  # noqa: S603 -- our own program

    def _mend(self, ready: "_Ready") -> None:
        for index, process in enumerate(self._processes):
            if process.poll() is not None and not self._stopping.is_set():
                log.error("worker_died", worker=index, status=process.returncode)
                _close_leash(process)
                time.sleep(RESTART_PAUSE_S)
                self._processes[index] = self._start(index, ready)


@dataclass
class _Ready:
    """A pipe for workers to send their numbers when they are ready. `worker_end`: the end that they write to."""

    _from: int = -1
    worker_end: int = -1
    _heard: bytes = b""
    _numbers: set[int] = field(default_factory=set)

    def __enter__(self) -> "_Ready":
        self._from, self.worker_end = os.pipe()
        os.set_blocking(self._from, False)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._from)
        os.close(self.worker_end)

    def all(self, processes: Sequence[subprocess.Popen[bytes]]) -> bool:
        """Returns whether all of these are ready."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self._heard += os.read(self._from, 4096)
        *lines, self._heard = self._heard.split(b"\n")
        self._numbers |= {int(line) for line in lines}
        return all(process.pid in self._numbers for process in processes)


def work(fd: int, metrics_fd: int | None, ready_fd: int | None) -> None:
    """Serves as one of several, by the sockets that the first process handed over, for no longer than that lives."""

    def tell(state: str) -> None:
        if state == notify.READY and ready_fd is not None:
            with contextlib.suppress(OSError):  # a missing reader has ended this process, too
                os.write(ready_fd, f"{os.getpid()}\n".encode())

    exit_with_parent()
    serve(socket.socket(fileno=fd), None if metrics_fd is None else socket.socket(fileno=metrics_fd), tell)


def _close_leash(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def exit_with_parent() -> None:
    """Stops this worker when the process that started it has ended."""

    def wait() -> None:
        while os.read(0, 1):
            continue
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="leash", daemon=True).start()


__all__ = [
    "Address",
    "PortTaken",
    "Service",
    "Workers",
    "bind",
    "bind_metrics",
    "log_missing_settings",
    "log_unknown_settings",
    "serve",
    "work",
]
