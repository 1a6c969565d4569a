"""The server: runs the application on a socket, in one process or in several that share the socket.

Stopping ends the event streams first, so that the shutdown does not wait for browsers that only listen. Several
processes need PostgreSQL. Each serves its metrics on a port of its own, counted up from `--metrics-port`. The first
process listens on all of these ports and hands them to the workers, so that no other program takes one while a worker
is restarted. It reports to systemd that the service is ready once all workers are.
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
from stempelwerk_cloud.kit.limits import connections
from stempelwerk_cloud.kit.limits.connections import ConnectionLimiter
from stempelwerk_cloud.kit.operations import logs, service_time
from stempelwerk_cloud.kit.operations.metrics import MetricsServer
from stempelwerk_cloud.kit.operations.process import READY, STOPPING, Notifier, raise_file_limit
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords

STOP_WITHIN_S = 10.0
"""Seconds from SIGTERM to the end of the process at the latest."""
GRACE_S = 5
"""Seconds that requests in progress have to finish. Child processes end a second earlier, so that their callers get an
answer.
"""
LAST_MOMENT_S = 1.0
"""A process that has not ended so many seconds before `STOP_WITHIN_S` exits on its own, and logs it."""
KEEP_ALIVE_S = 75
RESTART_PAUSE_S = 1.0
COLLECT_EVERY = (20_000, 20, 20)
"""Thresholds of the three generations for `gc.set_threshold`. The first is high because merging a clock's batch makes
thousands of objects that are freed without the collector.
"""
TURN_S = 0.0002
"""Seconds for `sys.setswitchinterval`: how long a computing thread may hold Python's lock while others wait.

A request may wait that long after each of its dozens of database queries. Next to a busy thread, 25 queries took 430 ms
with Python's default of 5 ms, and 44 ms with 1 ms. With this value employees wait a fifth less (p95) than with 1 ms
during an administrator's heaviest page.
"""

Tell = Callable[[str], None]
"""A function that is called with `notify.READY` once requests are accepted, and `notify.STOPPING` once they no longer
are.
"""

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
    """Uvicorn's server, which also reports its state to `tell`, ends event streams before it closes connections, and
    exits within `STOP_WITHIN_S`.
    """

    def __init__(self, config: uvicorn.Config, platform: Platform, tell: Tell) -> None:
        super().__init__(config)
        self._platform = platform
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell(READY)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            # The kernel's alarm also ends a process whose foreign code holds Python's lock.
            signal.setitimer(signal.ITIMER_REAL, STOP_WITHIN_S)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._tell(STOPPING)
        _exit_after(STOP_WITHIN_S - LAST_MOMENT_S)
        asyncio.get_running_loop().call_later(GRACE_S - 1, self._platform.subprocesses.end)
        self._platform.live.close()
        await super().shutdown(sockets)


def _exit_after(seconds: float) -> None:
    """Starts a timer that ends this process, even if a thread still computes: Python would wait for all threads.

    Committed transactions stay, all others are rolled back, as after a power cut.
    """

    def exit_now() -> None:
        log.warning("stop_forced", threads=sorted(thread.name for thread in threading.enumerate()))
        os._exit(0)

    clock = threading.Timer(seconds, exit_now)
    clock.daemon = True
    clock.start()


def bind(address: Address, purpose: str = "listen") -> socket.socket:
    """Returns a socket that listens on the address. `purpose` is the verb of the error message. Raises PortTaken."""
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
    """Returns a listening socket for the metrics of each of `count` processes, on ports counted up from `first`.

    Without `first` the list is empty. Raises PortTaken and closes all sockets if one address is not available.
    """
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
    """Logs a line for each part of the installation that is missing or unsafe. The first process calls it once."""
    logs.configure()
    if settings.smtp_url is None:
        log.warning("no_mail_server", effect="e-mail steps of the login are skipped")
    if settings.reset_password is not None and passwords.find_refusal(settings.reset_password) is not None:
        advice = "choose another, or unset it for random ones"
        log.warning("guessable_reset_password", setting=f"{PREFIX}RESET_PASSWORD", advice=advice)
    if not _has_pages(settings.web_dir):
        # Not an error that stops the service: clocks can deliver stamps without pages.
        tell = log.error if "web_dir" in settings.model_fields_set else log.warning
        folder = str(settings.web_dir.absolute())
        tell("no_web_app", folder=folder, setting=f"{PREFIX}WEB_DIR", effect="no page is served, only the API")


def serve(listener: socket.socket, metrics: socket.socket | None, tell: Tell = lambda _state: None) -> None:
    """Serves the application until SIGTERM or SIGINT; returns once everything is closed. `metrics` is the listening
    socket for Prometheus, or None.
    """
    logs.configure()
    raise_file_limit()
    app = create_app()
    platform: Platform = app.state.platform
    _judge_time(platform)
    exporter = None if metrics is None else MetricsServer(platform.metrics, metrics)
    if exporter is not None:
        exporter.start()
    # The objects made so far are never freed; skipping them saves a tenth of the garbage collector's work.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_EVERY)
    sys.setswitchinterval(TURN_S)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=connections.protocol(
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
    # Installed here, so that a signal during the start is not lost; uvicorn re-raises it after its shutdown.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, server.handle_exit)
    try:
        server.run([listener])
    finally:
        if exporter is not None:
            exporter.stop()


def _judge_time(platform: Platform) -> None:
    """Checks the server's time before the first request: the machine may have booted with a wrong one.

    A failure, such as a database that does not answer, is only logged.
    """
    try:
        service_time.observe(platform)
    except Exception as error:  # such as a database that does not answer just now
        log.error("job_failed", job="service_time", exc_info=error)


class Workers:
    """The supervisor of several worker processes that share one socket. It restarts a worker that dies, and all end
    with this process.

    `metrics`: a listening socket for each worker, or empty.
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
                    self._notifier.tell(READY)
                    has_notified = True
            self._notifier.tell(STOPPING)
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
        # The worker ends when this pipe closes, which happens with this process, however it ends.
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
    """A pipe on which each worker reports its process id once it is ready. `worker_end`: the file descriptor that
    workers write to.
    """

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
        """Reads the reported process ids; returns whether all of these processes are ready."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self._heard += os.read(self._from, 4096)
        *lines, self._heard = self._heard.split(b"\n")
        self._numbers |= {int(line) for line in lines}
        return all(process.pid in self._numbers for process in processes)


def work(fd: int, metrics_fd: int | None, ready_fd: int | None) -> None:
    """Runs as a worker process: serves on the sockets inherited from the first process, and ends when that process
    ends.

    `fd`: the socket for requests, `metrics_fd`: for metrics, `ready_fd`: the pipe to report readiness on.
    """

    def tell(state: str) -> None:
        if state == READY and ready_fd is not None:
            with contextlib.suppress(OSError):  # without a reader the first process has ended, and this one ends too
                os.write(ready_fd, f"{os.getpid()}\n".encode())

    exit_with_parent()
    serve(socket.socket(fileno=fd), None if metrics_fd is None else socket.socket(fileno=metrics_fd), tell)


def _close_leash(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def exit_with_parent() -> None:
    """Starts a thread that sends SIGTERM to this worker when the process that started it has ended (stdin is
    closed).
    """

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
