"""A child process stays within its limits, whatever it does, and ends with its service and at its bound."""

import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from stempelwerk_cloud.kit.files.rewriting.jobs import CSV, SHEET, job_of
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.subprocesses.job import FAILED, REFUSED, TOO_MUCH, Job
from stempelwerk_cloud.kit.subprocesses.pool import ServiceEnds, SubprocessPool

MIB = 1024 * 1024
UNPACK = Job(
    function="codecs:decode",
    argument="zlib",
    memory_bytes=256 * MIB,
    cpu_seconds=20,
    seconds=60,
    result_bytes=MIB,
    nice=0,
    modules=("encodings.zlib_codec",),
)
PACK = UNPACK._replace(function="codecs:encode", argument="bz2", modules=("encodings.bz2_codec",))
"""Foreign code that computes for half a minute on `LONG` and lets no Python run."""
LONG = os.urandom(4 * MIB) * 40


def run(job: Job, payload: bytes) -> tuple[int, bytes]:
    return SubprocessPool().run(job, payload)


def test_the_result_is_what_the_function_returns() -> None:
    assert run(UNPACK, zlib.compress(b"Stempel")) == (0, b"Stempel")


def test_a_refusal_is_its_reason() -> None:
    assert run(job_of(CSV), b"a\0") == (REFUSED, b"unsupported")


def test_a_job_that_fails_says_why() -> None:
    status, output = run(UNPACK, b"nothing")
    assert status == FAILED
    assert b"zlib.error" in output


def test_a_bomb_meets_the_limit_of_memory() -> None:
    assert run(UNPACK, zlib.compress(bytes(1024 * MIB)))[0] == TOO_MUCH


def test_a_result_that_is_too_large_is_none() -> None:
    assert run(UNPACK, zlib.compress(bytes(2 * MIB)))[0] == TOO_MUCH


def test_a_job_meets_the_limit_of_processor_time() -> None:
    assert run(PACK._replace(memory_bytes=1024 * MIB, cpu_seconds=1), LONG)[0] in {-signal.SIGXCPU, -signal.SIGKILL}


def test_a_process_that_takes_too_long_is_killed() -> None:
    assert run(job_of(SHEET)._replace(seconds=0), b"PK") == (-signal.SIGKILL, b"")


def test_a_process_opens_no_file_once_it_has_the_payload() -> None:
    assert run(UNPACK._replace(modules=()), zlib.compress(b"Stempel"))[0] == FAILED


def test_once_the_service_ends_no_process_is_started() -> None:
    pool = SubprocessPool()
    pool.end()
    with pytest.raises(ServiceEnds):
        pool.run(UNPACK, zlib.compress(b"Stempel"))


_DIES = """
import os, sys, threading
from pathlib import Path
from cloud.tests.kit.test_subprocesses import LONG, MIB, PACK, platform_at
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
place = machine_semaphore.try_take(platform_at(Path(sys.argv[1])), ["held"])
job = PACK._replace(memory_bytes=1024 * MIB, cpu_seconds=600, seconds=600)
threading.Thread(target=SubprocessPool().run, args=(job, LONG, place.fileno()), daemon=True).start()
computes = Path("/proc/self/task")
def ticks(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11])
children = lambda: [pid for listed in computes.glob("*/children") for pid in listed.read_text().split()]
while not any(ticks(pid) > 100 for pid in children()):
    pass
os._exit(7)
"""


def platform_at(folder: Path) -> Any:
    return SimpleNamespace(settings=SimpleNamespace(data_dir=folder))


def test_foreign_code_does_not_outlive_a_service_that_dies(tmp_path: Path) -> None:
    assert subprocess.run([sys.executable, "-c", _DIES, str(tmp_path)], check=False).returncode == 7
    while (place := machine_semaphore.try_take(platform_at(tmp_path), ["held"])) is None:
        pass
    place.close()
