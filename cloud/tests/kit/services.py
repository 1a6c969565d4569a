"""A service as a real process, on its own port."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from stempelwerk_tools.ports import reserved_port

from cloud.tests.forked import Forked, run_command

PATIENCE_S = 300
"""Only ends a hang: on a busy machine the start of several processes takes minutes."""


class Service:
    """A `stempelwerk-cloud serve` for one test: a fork that has the program loaded, or the command itself."""

    def __init__(self, url: str, folder: Path, *arguments: str, is_forked: bool = True) -> None:
        self.port = reserved_port()
        environment = os.environ | {
            "STEMPELWERK_DATABASE_URL": url,
            "STEMPELWERK_DATA_DIR": str(folder),
            "STEMPELWERK_WEB_DIR": str(folder),
        }
        self.environment = environment
        self.log = folder / f"log-{self.port}"
        command = ["serve", "--port", str(self.port), *arguments]
        with self.log.open("wb") as log:
            self.process: Forked | subprocess.Popen[bytes] = (
                Forked(run_command, *command, environment=environment, files={2: log.fileno()})
                if is_forked
                else subprocess.Popen(
                    [sys.executable, "-m", "stempelwerk_cloud", *command],
                    env=environment,
                    stderr=log,
                    stdin=subprocess.DEVNULL,
                )
            )

    def call(self, path: str, body: object = None, token: str = "") -> tuple[int, str]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = Request(f"http://127.0.0.1:{self.port}{path}", data=data, headers=headers)
        try:
            with urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            return error.code, error.read().decode()

    def wait_until_up(self) -> "Service":
        def up() -> bool:
            assert self.process.poll() is None, self.log.read_text()
            return self.call("/api/health")[0] == 200

        eventually(up)
        return self

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            if condition():
                return
        except (URLError, ConnectionError):
            pass
        assert time.monotonic() < deadline
        time.sleep(0.05)


def workers_of(service: Service) -> list[int]:
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text()
    return [int(child) for child in children.split()]
