"""A running demo: mailbox, reader, cloud and clock, started in order, watched, and stopped in reverse.

`company.py` makes the data. Only the main thread starts and stops programs; orders from other processes wait for it.
"""

import contextlib
import json
import os
import queue
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from stempelwerk_edge.satellites.adoption import Adoption

from stempelwerk_tools.demo.children import Child, ChildFailed
from stempelwerk_tools.demo.layout import Layout
from stempelwerk_tools.demo.mail import MailCatcher
from stempelwerk_tools.demo.mailbox import MailboxPage
from stempelwerk_tools.demo.people import OPERATOR_USER, PASSWORD
from stempelwerk_tools.demo.restarts import RestartBackoff
from stempelwerk_tools.simulators.control import serve_reader
from stempelwerk_tools.simulators.lines import LineServer, Message
from stempelwerk_tools.simulators.pty_reader import PtyReader
from stempelwerk_tools.simulators.scanner_line import ScannerLine, a_scanner, serve_scanner

Name = Literal["cloud", "clock"]

HOST = "127.0.0.1"
CLOCK_SERIAL = "SW-DEMO-0001"
CLOCK_PROFILE = "core"
SCANNER_SERIAL = "SW-DEMO-BEACON"
_LOOK_S = 0.25
_ORDER_S = 60.0


class NoRight(Exception):
    """The system lets only root listen on this port."""


def port_is_free(port: int) -> bool:
    """Returns whether a program of ours could listen there now. Raises NoRight."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except PermissionError:
            raise NoRight from None
        except OSError:
            return False
    return True


@dataclass
class _Order:
    request: Message
    answer: "queue.Queue[Message]" = field(default_factory=queue.Queue)


class House:
    """The demo's programs in one folder on two ports; a context manager that cleans up after itself.

    `report` receives progress messages in German. `web` is the folder with the two builds, `app` and `kiosk`.
    """

    def __init__(self, layout: Layout, port: int, clock_port: int, web: Path, report: Callable[[str], object]) -> None:
        self.layout, self._report, self._web = layout, report, web
        self.cloud_address, self.clock_address = f"http://{HOST}:{port}/", f"http://{HOST}:{clock_port}/"
        self._clock_port = clock_port
        self.mail = MailCatcher(layout.mails, report)
        self.mailbox = MailboxPage(layout.mails)
        self._orders: queue.Queue[_Order] = queue.Queue()
        self._inside = contextlib.ExitStack()
        serve = ["stempelwerk_cloud", "serve", "--host", HOST, "--port", str(port)]
        run = ["stempelwerk_edge", "run", "--config", str(layout.clock_config)]
        self.cloud = Child("Die Cloud", serve, layout.log("cloud"), self.cloud_environment())
        self.clock = Child("Die Uhr", run, layout.log("clock"), _plain_environment())
        self._children: dict[Name, Child] = {"cloud": self.cloud, "clock": self.clock}
        self._backoffs: dict[Name, RestartBackoff] = {name: RestartBackoff() for name in self._children}
        self._signs_of_life: dict[Name, str] = {
            "cloud": f"{self.cloud_address}api/health",
            "clock": self.clock_address,
        }

    def __enter__(self) -> Self:
        """Starts what depends on no other program: the mail catcher, the reader, the socket for orders."""
        self.layout.folder.mkdir(parents=True, exist_ok=True)
        self.layout.folder.chmod(0o700)
        with contextlib.ExitStack() as stack:
            self.mail.start()
            stack.callback(self.mail.stop)
            self.mailbox.start()
            stack.callback(self.mailbox.stop)
            reader = stack.enter_context(PtyReader(self.layout.reader))
            stack.callback(serve_reader(reader, self.layout.reader_socket).close)
            scanner = stack.enter_context(ScannerLine(a_scanner(SCANNER_SERIAL), self.layout.scanner))
            stack.callback(serve_scanner(scanner, self.layout.scanner_socket).close)
            stack.callback(LineServer(self.layout.socket, self._take).close)
            stack.callback(self.cloud.stop)
            stack.callback(self.clock.stop)
            self._inside = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._inside.close()

    def cloud_environment(self) -> dict[str, str]:
        """Returns the service's settings: an embedded database of its own, and mails to the catcher."""
        return {
            **_plain_environment(),
            "STEMPELWERK_DATABASE_URL": f"sqlite:///{self.layout.database}",
            "STEMPELWERK_DATA_DIR": str(self.layout.cloud_data),
            "STEMPELWERK_WEB_DIR": str(self._web / "app"),
            "STEMPELWERK_SMTP_URL": self.mail.url,
        }

    def start(self, *names: Name) -> None:
        """Starts these programs together and waits until each answers. Raises ChildFailed."""
        for name in names:
            self._begin(name)
        for name in names:
            self._children[name].wait_until_up(self._signs_of_life[name])

    def _begin(self, name: Name) -> None:
        if name == "clock":
            self._write_clock_config()
        self._children[name].start()

    def create_founder(self) -> None:
        """Creates the operator's first administrator, before the service runs. Raises ChildFailed."""
        self.layout.database.parent.mkdir(parents=True, exist_ok=True)
        command = ["stempelwerk_cloud", "create-founder", "--username", OPERATOR_USER, "--password-stdin"]
        done = subprocess.run(
            [sys.executable, "-m", *command],
            input=f"{PASSWORD}\n",
            env=self.cloud_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ChildFailed(f"Der Betreiber lässt sich nicht anlegen:\n{done.stderr.strip()}")

    def watch(self) -> None:
        """Carries out orders and restarts programs that have died, until KeyboardInterrupt."""
        while True:
            with contextlib.suppress(queue.Empty):
                order = self._orders.get(timeout=_LOOK_S)
                order.answer.put(self._carry_out(order.request))
            for name in self._children:
                self._look_after(name)

    def _look_after(self, name: Name) -> None:
        child, backoff = self._children[name], self._backoffs[name]
        status = child.ended()
        if status is not None:
            child.forget()
            wait_s = backoff.died(time.monotonic())
            then = f"Neustart in {wait_s:.0f} s" if wait_s else "Neustart"
            self._report(f"{child.name} ist ausgefallen (Status {status}). {then}. Protokoll: {child.log}")
        if backoff.due(time.monotonic()):
            backoff.started(time.monotonic())
            self._begin(name)
            self._report(f"{child.name} ist neu gestartet.")

    def _take(self, request: Message) -> Message:
        if request.get("do") == "ping":  # also while it is coming up, or busy
            return {"ok": True}
        order = _Order(request)
        self._orders.put(order)
        try:
            return order.answer.get(timeout=_ORDER_S)
        except queue.Empty:
            raise ValueError("die Demo ist noch beschäftigt") from None

    def _carry_out(self, request: Message) -> Message:
        action, _, name_in_order = str(request.get("do")).partition("-")
        if action == "status":
            return {name: child.pid for name, child in self._children.items()}
        name = next((name for name in self._children if name == name_in_order), None)
        if name is None or action not in ("start", "stop"):
            return {"error": f"unbekannt: {request.get('do')!r}"}
        child = self._children[name]
        if (action == "start") == (child.pid is not None and child.ended() is None):
            outcome = f"{child.name} {'läuft schon' if action == 'start' else 'ist schon angehalten'}."
            if action == "stop":
                self._backoffs[name].leave()
            return {"said": outcome}
        self._backoffs[name].leave()
        try:
            if action == "stop":
                child.stop()
            else:
                child.forget()
                self.start(name)
        except ChildFailed as failure:
            child.stop()
            return {"error": str(failure)}
        outcome = f"{child.name} {'läuft wieder' if action == 'start' else 'ist angehalten'}."
        self._report(outcome)
        return {"said": outcome}

    def _write_clock_config(self) -> None:
        text = json.dumps  # a JSON string is a TOML string
        lines = [
            "# Geschrieben von `stempelwerk demo`, bei jedem Start neu.",
            f"data_dir = {text(str(self.layout.clock_data))}",
            f"[cloud]\nurl = {text(self.cloud_address)}",
            f'[reader]\nkind = "pn532"\npath = {text(str(self.layout.reader))}',
            f"[display]\nhost = {text(HOST)}\nport = {self._clock_port}\nassets = {text(str(self._web / 'kiosk'))}",
            f"[satellites]\npaths = [{text(str(self.layout.scanner))}]",
            f"[device]\nserial = {text(CLOCK_SERIAL)}\nprofile = {text(CLOCK_PROFILE)}",
        ]
        Adoption(self.layout.clock_data).allow()
        self.layout.clock_config.write_text("\n".join(lines) + "\n", "utf-8")


def _plain_environment() -> dict[str, str]:
    """Returns the caller's environment without settings of another installation."""
    return {name: value for name, value in os.environ.items() if not name.startswith("STEMPELWERK_")}
