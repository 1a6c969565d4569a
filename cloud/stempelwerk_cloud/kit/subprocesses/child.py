"""The program of a child process: `python -I -m … job`, where the job is a `Job` as JSON.

stdin carries a line with the payload's length and the payload, and stays open until the parent ends. stdout carries a
line for each report, an empty line, and the result, or the error if the exit status is not 0. A job that `streams` has
both for itself.

Bombs and faults of parsers harm only this process.
"""

import contextlib
import fcntl
import importlib
import json
import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable

from stempelwerk_cloud.kit.subprocesses.job import FAILED, REFUSED, TOO_MUCH, Job, Refused


def main(encoded: str) -> int:
    job = Job(*json.loads(encoded))
    with contextlib.suppress(OSError):  # some systems forbid it
        os.nice(job.nice)
    load(job)
    if job.streams:
        _limit_to(job)
        load(job)(sys.stdin.buffer, sys.stdout.buffer, job.argument)
        return 0
    payload = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
    exit_with_parent()
    status, content = result_of(job, payload)
    sys.stdout.buffer.write(b"\n" + content)
    sys.stdout.buffer.flush()
    return status


def load(job: Job) -> Callable[..., bytes]:
    """Imports the modules of the job, and returns its function."""
    module, _, name = job.function.partition(":")
    for module_name in job.modules:
        importlib.import_module(module_name)
    function: Callable[..., bytes] = getattr(importlib.import_module(module), name)
    return function


def result_of(job: Job, payload: bytes) -> tuple[int, bytes]:
    """Returns the exit status and the output. The limits of the job hold for the rest of the process."""
    function = load(job)
    _limit_to(job)
    try:
        result = function(payload, job.argument)
    except Refused as refused:
        return REFUSED, refused.reason.encode()
    except (MemoryError, RecursionError):
        return TOO_MUCH, b"too much"
    except Exception:  # parsers raise any exception
        return FAILED, traceback.format_exc().encode(errors="replace")
    return (0, result) if len(result) <= job.result_bytes else (TOO_MUCH, b"the result is too large")


def _limit_to(job: Job) -> None:
    _limit(resource.RLIMIT_AS, job.memory_bytes)
    _limit(resource.RLIMIT_CPU, job.cpu_seconds)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, job.file_bytes)
    if not job.opens_files:
        _limit(resource.RLIMIT_NOFILE, 0)  # opens no file and no connection


def exit_with_parent() -> None:
    """Lets the kernel end this process when the pipe at stdin breaks, even if foreign code holds Python's lock."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    pipe = select.poll()
    pipe.register(0, select.POLLIN | select.POLLHUP)
    if pipe.poll(0):  # the parent ended before
        os._exit(FAILED)


def _limit(resource_id: int, limit: int) -> None:
    _, hard = resource.getrlimit(resource_id)
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource_id, (limit, limit))


if __name__ == "__main__":
    os._exit(main(sys.argv[1]))  # freeing a stranger's objects may take long
