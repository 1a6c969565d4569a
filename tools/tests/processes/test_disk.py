"""A disk that is full or cannot be written: the clock shows red, plays no OK tone, and recovers without help."""

import contextlib
import os
import random
import resource
import shutil
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import apsw
import pytest
from stempelwerk_edge.cloud.wire import PeopleChange, PersonRow
from stempelwerk_edge.machine.clock import SystemClock, SystemIds
from stempelwerk_edge.machine.hardware import SystemMachine
from stempelwerk_edge.machine.housekeeping import Housekeeping
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import AnswerKind, Signal
from stempelwerk_edge.signals.simulated import SimulatedSignals
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings
from stempelwerk_edge.tap.tapping import Tapper

from tools.tests.processes.clock_process import ClockProcess, clock

TODAY = date(2026, 11, 20)
NOBODY = "http://127.0.0.1:9"
TAGS = [f"04A2B3C4D5E6{number:02X}" for number in range(60)]


class FileSizeLimit:
    """Limits the process to files of one page: a full disk to it, without needing to be root."""

    def __init__(self, clock: ClockProcess) -> None:
        self._made = clock

    def break_disk(self) -> None:
        self._set(4000)

    def mend(self) -> None:
        self._set(resource.RLIM_INFINITY)

    def _set(self, limit: int) -> None:
        assert self._made.process
        resource.prlimit(self._made.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))


class FullFilesystem:
    """Puts the clock's data on a small file system of its own, which a ballast file fills up."""

    def __init__(self, clock: ClockProcess) -> None:
        self._made = clock

    def break_disk(self, free_bytes: int = 0) -> None:
        with (self._made.data / "ballast").open("wb", buffering=0) as ballast:
            with contextlib.suppress(OSError):
                while True:
                    ballast.write(bytes(1024))
            ballast.truncate(ballast.tell() - free_bytes)

    def mend(self) -> None:
        (self._made.data / "ballast").unlink()


def mounts_allowed() -> bool:
    if os.geteuid() != 0:
        return False
    probe = subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True)
    return probe.returncode == 0 and Path("/dev/loop-control").exists() and shutil.which("mkfs.ext4") is not None


WAYS = [FileSizeLimit, *([FullFilesystem] if mounts_allowed() else [])]


@contextlib.contextmanager
def small_filesystem(folder: Path, needed: bool) -> Iterator[None]:
    if not needed:
        yield
        return
    folder.mkdir(parents=True)
    image = folder.with_name("image")
    with image.open("wb") as file:
        file.truncate(9 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", "-b", "1024", image], check=True)
    subprocess.run(["mount", "-o", "loop", image, folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize("way", WAYS)
def test_a_full_disk_is_told_in_red_and_recovers_without_a_restart(tmp_path, way):
    folder = tmp_path / "clock"
    mount = tmp_path / "mount"
    with (
        small_filesystem(mount, way is FullFilesystem),
        clock(folder, NOBODY, knows=TAGS, data=mount if way is FullFilesystem else None) as running_clock,
    ):
        disk = way(running_clock)
        tags = iter(bytes.fromhex(tag) for tag in TAGS)
        for _ in range(3):
            answer = running_clock.tap(next(tags))
            assert answer is not None
            assert answer["kind"] == "in"
        saved = running_clock.rows()
        assert saved == 3

        disk.break_disk()
        for tag in tags:
            answer = running_clock.tap(tag)
            assert answer is not None
            if answer["kind"] == "not_saved":
                break
            saved += 1
        else:
            pytest.fail("the disk never filled up")
        assert running_clock.screen.wait_for(lambda view: view["storage"] == "failed")
        greens, reds = running_clock.green.lit, running_clock.red.lit
        answer = running_clock.tap(next(tags))
        assert answer is not None
        assert answer["kind"] == "not_saved"
        assert running_clock.red.wait_for_more(reds)
        assert running_clock.green.lit == greens  # no light, and so no tone, for OK
        assert running_clock.rows() == saved

        process_before = running_clock.process
        disk.mend()
        answer = running_clock.tap(next(tags))
        assert answer is not None
        assert answer["kind"] == "in"
        assert running_clock.screen.wait_for(lambda view: view["storage"] == "ok")
        assert running_clock.rows() == saved + 1
        assert running_clock.process is process_before
        assert running_clock.process is not None
        assert running_clock.process.poll() is None


@pytest.mark.skipif(not mounts_allowed(), reason="no file system of one's own here")
def test_a_start_on_a_nearly_full_disk_ends_no_clock(tmp_path):
    """A block is smaller than a page here, so a mapped file may lack what the kernel needs when it is written to."""
    mount = tmp_path / "mount"
    with small_filesystem(mount, True), clock(tmp_path / "clock", NOBODY, knows=TAGS, data=mount) as running_clock:
        disk = FullFilesystem(running_clock)
        assert running_clock.tap(bytes.fromhex(TAGS[0]))
        for free_kb in (0, 4, 8, 16):
            running_clock.kill()
            disk.break_disk(free_kb << 10)
            running_clock.start()
            running_clock.ready()
            answer = running_clock.tap(bytes.fromhex(TAGS[1]))
            assert answer is not None
            assert running_clock.process is not None
            assert running_clock.process.poll() is None
            disk.mend()


class MoodyVFS(apsw.VFS):
    """Passes everything to the real files, until the test makes it refuse writing."""

    def __init__(self) -> None:
        self.refuses: int | None = None
        super().__init__("moody", base="")

    def xOpen(self, name, flags):  # noqa: N802 - SQLite's name
        return MoodyFile(self, name, flags)


class MoodyFile(apsw.VFSFile):
    def __init__(self, vfs: MoodyVFS, name, flags) -> None:
        self._vfs = vfs
        super().__init__("", name, flags)

    def xWrite(self, data, offset):  # noqa: N802 - SQLite's name
        if self._vfs.refuses is not None:
            raise apsw.exception_for(self._vfs.refuses)
        super().xWrite(data, offset)


@pytest.fixture
def moody() -> Iterator[MoodyVFS]:
    vfs = MoodyVFS()
    yield vfs
    vfs.unregister()


@pytest.mark.parametrize("refusal", [apsw.SQLITE_READONLY, apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_FULL])
def test_a_disk_that_refuses_writing_has_no_tone_without_a_row(tmp_path, moody, refusal):
    clock, signals, screen = SystemClock(), SimulatedSignals(), RememberingScreen()
    ids = SystemIds(clock)

    def silent(*_: object, **__: object) -> None: ...

    journal = Journal(tmp_path, ids, silent, lambda path: apsw.Connection(str(path), vfs="moody"))
    people = Snapshot(tmp_path, connect_sqlite, silent)
    people.apply(PeopleChange("1", True, (PersonRow("u", "Ada", (TAGS[0],), "out", None, 0, 0, 0),), ()), 0, TODAY)
    stores = Stores.from_journal(journal, people)
    surroundings = Surroundings(
        time=TrustedTime(clock),
        ids=ids,
        random=random.Random(),
        screen=screen,
        report=silent,
        machine=SystemMachine(None, tmp_path),
        profile="core",
        version="0",
    )
    tapper = Tapper(stores, surroundings, signals, wake=lambda: None)
    housekeeping = Housekeeping(stores, surroundings, recovered=lambda: None)
    journal.open()
    try:
        assert tapper.on_tag(TAGS[0]).kind is AnswerKind.IN
        moody.refuses = refusal
        for _ in range(3):
            assert tapper.on_tag(TAGS[0]).kind is AnswerKind.NOT_SAVED
        housekeeping.look()
        assert screen.status["storage"] == "failed"
        assert signals.played == [Signal.OK_IN, *[Signal.NOT_SAVED] * 3]

        moody.refuses = None
        housekeeping.look()
        assert screen.status["storage"] == "ok"
        assert tapper.on_tag(TAGS[0]).kind is AnswerKind.DOUBLE_TAP
        assert len(stores.state.recent(10)) == 2  # as many rows as OK tones
    finally:
        people.close()
        journal.close()


class RememberingScreen:
    def __init__(self) -> None:
        self.status: dict[str, object] = {}

    def show(self, answer) -> None: ...

    def sent(self, stamp_ids) -> None: ...

    def set_status(self, **changes: object) -> None:
        self.status.update(changes)

    def notice(self, code: str) -> None: ...
