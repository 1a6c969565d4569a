"""The power is cut at every step of an update: a version that works always remains, and the update is repeated."""

import asyncio
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from stempelwerk_edge.machine.clock import SystemClock, SystemIds
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.updates import health
from stempelwerk_edge.updates.launcher import TRIES, Disk, Places, choose, is_sound, read, slots, store
from stempelwerk_edge.updates.slots import fill
from stempelwerk_tools.powercut.disk import PowerLost
from stempelwerk_tools.powercut.tree import ForgetfulTree

from edge.tests.clockwork import TestLog, draft, stores_on
from edge.tests.updates.repository import SignedRepository, lay_down, places, program, wheel

LIBRARY = wheel(
    {f"library/part_{number}.py": f"x = {number}\n" for number in range(12)} | {"library/data.bin": bytes(5000)}
)
IDS = SystemIds(SystemClock())
EVERY = (pytest.param(9, 1, id="some"), pytest.param(1, 3, id="every", marks=pytest.mark.prove))


@pytest.fixture
def memory() -> Iterator[Path]:
    folder_in_memory = Path(
        tempfile.mkdtemp(prefix="stempelwerk-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
    )
    yield folder_in_memory
    shutil.rmtree(folder_in_memory)


@dataclass
class Clock:
    """A clock that runs version 1.1.0, with 1.2.0 available. `data` lies outside the updated folders."""

    folder: Path
    repository: SignedRepository
    target: str

    @property
    def places(self) -> Places:
        return Places(self.folder / "update", self.folder / "opt")

    def update(self, disk: Disk) -> None:
        """Does everything that agent, updater and launcher write from the download to the new version's self-test."""
        record = read(self.places.record)
        if not record.get("trial"):
            lay_down(self.places, self.repository, self.target)
            if not fill(self.places, disk):
                raise PowerLost("only the power can be the reason")
            [new] = [name for name, (_, slot) in slots(self.places).items() if slot["version"] == "1.2.0"]
            record = {**record, "trial": {"id": new, "version": "1.2.0", "tries": 0}}
            store(self.places.record, record, disk)
        choice = choose(self.places, counting=True, disk=disk)
        trial = read(self.places.record).get("trial")
        if trial and choice and choice[0] == trial["id"]:
            self.self_test()
            kept_version = {"id": trial["id"], "version": "1.2.0", "package": "1.0.0"}
            store(self.places.record, {"kept": kept_version, "trial": None}, disk)

    def started_version(self) -> str:
        """Returns the version that the launcher starts, with all its files intact."""
        choice = choose(self.places, counting=True)
        assert choice is not None
        folder, slot = slots(self.places)[choice[0]]
        assert is_sound(folder, slot)
        return str(slot["version"])

    def journal(self) -> Journal:
        return Journal(self.folder / "data", IDS, TestLog())

    def stamps(self) -> list[tuple[object, ...]]:
        journal = self.journal()
        journal.open()
        rows = journal.read(lambda db: list(db.execute("SELECT * FROM stamps ORDER BY row")))
        journal.close()
        return rows

    def self_test(self) -> None:
        journal = self.journal()
        stores = stores_on(self.folder / "data", journal, TestLog())
        assert asyncio.run(health.writes_and_reads(stores, IDS)())
        journal.close()
        stores.people.close()


@pytest.fixture
def clock(memory: Path) -> Clock:
    repository = SignedRepository()
    new_clock = Clock(memory / "clock", repository, "")
    where = places(new_clock.folder, repository)
    (new_clock.folder / "data").mkdir()
    journal = new_clock.journal()
    for number in range(5):
        journal.append(draft(f"01927a00-0000-7000-8000-{number:012d}"))
    journal.close()
    for version in ("1.0.5", "1.1.0"):  # the refilled slot is not empty
        lay_down(where, repository, repository.add(version, LIBRARY, program(version)))
        assert fill(where)
        [old] = [name for name, (_, slot) in slots(where).items() if slot["version"] == version]
        store(where.record, {"kept": {"id": old, "version": version, "package": "1.0.0"}})
    new_clock.target = repository.add("1.2.0", LIBRARY, program("1.2.0"))
    return new_clock


def copy_clock(clock: Clock, name: str) -> Clock:
    folder = clock.folder.parent / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(clock.folder, folder)
    return Clock(folder, clock.repository, clock.target)


@pytest.mark.parametrize(("step_width", "seeds"), EVERY)
def test_a_cut_at_any_step_leaves_a_clock_that_works_and_updates_after_all(
    clock: Clock, step_width: int, seeds: int
) -> None:
    uncut = copy_clock(clock, "whole")
    counting = ForgetfulTree(uncut.places.base)
    uncut.update(counting)
    assert uncut.started_version() == "1.2.0"
    stamps, started_versions, cuts = clock.stamps(), set(), 0
    for step in range(0, counting.steps, step_width):
        for seed in range(seeds):
            cut = copy_clock(clock, "cut")
            disk = ForgetfulTree(cut.places.base, cut_in=step)
            with suppress(PowerLost):  # the launcher takes it for an unwritable disk
                cut.update(disk)
            assert disk.steps == step
            disk.after_cut(random.Random(step * 100 + seed))
            (cut.places.base / "root.json").write_bytes(clock.repository.root)
            cuts += 1
            started_versions.add(cut.started_version())
            for _ in range(2):
                cut.update(Disk())
            assert cut.started_version() == "1.2.0"
            assert read(cut.places.record)["kept"]["version"] == "1.2.0"
            assert cut.stamps() == stamps
    assert started_versions == {"1.1.0", "1.2.0"} or step_width > 1
    assert cuts >= (300 if step_width == 1 else 15)


def test_a_cut_at_any_step_of_the_way_back_leaves_a_clock_that_works_and_goes_back(clock: Clock) -> None:
    lay_down(clock.places, clock.repository, clock.target)
    assert fill(clock.places)
    [new] = [name for name, (_, slot) in slots(clock.places).items() if slot["version"] == "1.2.0"]
    record = {**read(clock.places.record), "trial": {"id": new, "version": "1.2.0", "tries": 0}}
    store(clock.places.record, record)
    uncut = copy_clock(clock, "whole")
    counting = ForgetfulTree(uncut.places.base)
    for _ in range(TRIES + 1):  # every trial fails
        choose(uncut.places, counting=True, disk=counting)
    assert (uncut.started_version(), counting.steps > TRIES) == ("1.1.0", True)
    for step in range(counting.steps):
        for seed in range(3):
            cut = copy_clock(clock, "cut")
            disk = ForgetfulTree(cut.places.base, cut_in=step)
            for _ in range(TRIES + 1):
                choose(cut.places, counting=True, disk=disk)
            disk.after_cut(random.Random(step * 100 + seed))
            (cut.places.base / "root.json").write_bytes(clock.repository.root)
            started = [cut.started_version() for _ in range(TRIES + 2)]
            assert started.count("1.2.0") <= TRIES
            assert started[started.count("1.2.0") :] == ["1.1.0"] * (TRIES + 2 - started.count("1.2.0"))
            assert read(cut.places.record)["failed"]["version"] == "1.2.0"


def test_without_syncs_some_cut_would_leave_a_record_that_is_neither(clock: Clock) -> None:
    """The control: the disk does forget, and the order of syncs saves the clock."""

    class Hasty(ForgetfulTree):
        def write(self, path: Path, data: bytes) -> None:
            super().write(path, data)
            self._now[path].safe = b""

    spoiled = 0
    for seed in range(20):
        cut = copy_clock(clock, "cut")
        disk = Hasty(cut.places.base)
        store(cut.places.record, {"kept": read(cut.places.record)["kept"], "trial": None}, disk)
        disk.after_cut(random.Random(seed))
        spoiled += "kept" not in read(cut.places.record)
    assert spoiled
