"""The programs of the benchmark in a real browser: scripts of the web, run by the project's Node.js."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from stempelwerk_tools.bench.installation import WEB
from stempelwerk_tools.bench.sides.side import NotMeasured, Void

FOLDER = WEB.parent
_LIMIT_S = 30


def browser_program(script: str) -> list[str | Path]:
    """Returns the command of a script of `web/e2e`, to be started in `FOLDER`. Raises NotMeasured."""
    node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if node is None or not (FOLDER / "node_modules" / "@playwright").exists():
        raise NotMeasured("no Node.js with the pages' packages (make setup)")
    if not all((WEB / page).exists() for page in ("app", "kiosk")):
        raise NotMeasured("not built (make build)")
    return [node, FOLDER / "e2e" / script]


class Browser:
    """A running browser program: it reads one JSON line for each message, and writes one for each answer. Raises Void
    if it fails.
    """

    def __init__(self, command: list[str | Path]) -> None:
        self._program = subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._program.stdin
        assert self._program.stdout
        self._to, self._from = self._program.stdin, self._program.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._to.close()
        try:
            self._program.wait(_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
        self._from.close()

    def send(self, message: Any) -> None:
        """Sends the program a message, for example what it should watch."""
        self._to.write(json.dumps(message) + "\n")
        self._to.flush()

    def answer(self, limit_s: float = _LIMIT_S) -> dict[str, Any]:
        """Returns the program's next line. Raises Void after `limit_s`."""
        reply: dict[str, Any] | None = None
        if select.select([self._from], [], [], limit_s)[0]:
            reply = json.loads(self._from.readline() or "null")
        if reply is None:
            raise Void("the browser does not show it")
        return reply
