"""Processes that begin with the program loaded: a server imports it once for each pytest process and forks them.

An interpreter that imports the program takes two processor seconds before it does anything, and one that imports the
library of PDF half of one. `multiprocessing` ends the server when the pytest process and its last fork have ended.
"""

import fcntl
import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import connection, reduction, util
from typing import Any

from stempelwerk_cloud.__main__ import main

_LOADED = ("stempelwerk_cloud.command_line", "fpdf", "openpyxl")
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([*_LOADED])
_LOCK = threading.Lock()
"""`multiprocessing` looks at all processes when it starts one, and reads the status of each only once."""


def make_folder() -> None:
    """Makes the folder of the server's socket, before a test sets another place for temporary files."""
    util.get_temp_dir()


class Forked:
    """A process that runs a function of a module; its status is what the function returns.

    It has signals, a memory and an end of its own. It shares the order of its hashes with other forks, and has no
    command line of its own.
    """

    def __init__(
        self,
        function: Callable[..., int | None],
        *arguments: Any,
        environment: Mapping[str, str] | None = None,
        files: Mapping[int, int] | None = None,
    ) -> None:
        """Starts it. `environment`: None for the current one; `files`: descriptors by their numbers in the process."""
        handed = {number: _Handed(fd) for number, fd in (files or {}).items()}
        variables = dict(os.environ if environment is None else environment)
        self._process = CONTEXT.Process(target=_run, args=(function, arguments, variables, handed))
        with _LOCK:
            self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Returns the status, negative for a signal, or None while the process runs."""
        with _LOCK:
            return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        connection.wait([self._process.sentinel], seconds)
        status = self.poll()
        assert status is not None, f"process {self.pid} still runs"
        return status

    def terminate(self) -> None:
        with _LOCK:
            self._process.terminate()

    def kill(self) -> None:
        with _LOCK:
            self._process.kill()


def run_command(*arguments: str) -> int:
    """Runs a command of the service as its program does."""
    sys.argv[1:] = arguments
    return main()


@dataclass(frozen=True)
class _Handed:
    """A descriptor that arrives in the process as a number."""

    fd: int

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (reduction.DupFd(self.fd),)


def _received(duplicate: Any) -> int:
    fd: int = duplicate.detach()
    return fd


def _run(
    function: Callable[..., int | None],
    arguments: tuple[Any, ...],
    environment: dict[str, str],
    files: dict[int, int],
) -> None:
    assert sys.modules.keys() >= {*_LOADED}, "the server has not loaded the program"
    gc.freeze()  # else the first collection copies all that was loaded
    os.environ.clear()
    os.environ.update(environment)
    _place({0: os.open(os.devnull, os.O_RDONLY)} | files)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.exit(function(*arguments))


def _place(files: dict[int, int]) -> None:
    """Gives open files these numbers, which may be those of one another."""
    aside = {number: fcntl.fcntl(fd, fcntl.F_DUPFD, max(files) + 1) for number, fd in files.items()}
    for fd in files.values():
        os.close(fd)
    for number, fd in aside.items():
        os.dup2(fd, number)
        os.close(fd)
