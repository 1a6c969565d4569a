"""Processes that begin with the program loaded: a server imports it once for each pytest process and forks them.

An interpreter that imports the program takes two processor seconds before it does anything. `multiprocessing` ends the
server when the pytest process and its last fork have ended.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from stempelwerk_cloud.__main__ import main

_LOADED = "stempelwerk_cloud.command_line"
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([_LOADED])


class Forked:
    """A process that runs a function of a module; its status is what the function returns.

    It has signals, a memory and an end of its own. It shares the order of its hashes with other forks and with no
    interpreter's command line.
    """

    def __init__(
        self,
        function: Callable[..., int | None],
        *arguments: Any,
        environment: Mapping[str, str] | None = None,
        stderr: Path | None = None,
    ) -> None:
        """Starts it. `environment`: None for the current one; `stderr`: a file to write into."""
        environment = dict(os.environ if environment is None else environment)
        self._process = CONTEXT.Process(target=_run, args=(function, arguments, environment, stderr))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Returns the status, negative for a signal, or None while the process runs."""
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        status = self.poll()
        assert status is not None, f"process {self.pid} still runs"
        return status

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def run_command(*arguments: str) -> int:
    """Runs a command of the service, in a process of its own, as its program does."""
    sys.argv[1:] = arguments
    return main()


def _run(
    function: Callable[..., int | None], arguments: tuple[Any, ...], environment: dict[str, str], stderr: Path | None
) -> None:
    assert _LOADED in sys.modules, "the server has not loaded the program"
    os.environ.clear()
    os.environ.update(environment)
    if stderr is not None:
        with stderr.open("wb") as file:
            os.dup2(file.fileno(), 2)
    sys.exit(function(*arguments))
