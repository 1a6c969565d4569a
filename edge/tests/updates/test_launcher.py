"""The launcher starts something whatever is wrong, and of a version that does not prove itself the one before.

The processes here are real: the launcher as it is installed, under `python3 -I -S`, started again as systemd would.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.updates import launcher
from stempelwerk_edge.updates.launcher import TRIES, Places, choose, order, read, slots, step, store
from stempelwerk_edge.updates.slots import fill

from edge.tests.updates.repository import SignedRepository, lay_down, places, program

WELL = "def main():\n    import sys\n    print('slot', VERSION, *sys.argv[1:])\n    return 0\n"
BROKEN = {
    "ends at once": "def main():\n    return 1\n",
    "cannot be imported": "import no_such_module\n",
    "is no Python": "def main(:\n",
    "hangs, and takes signals for itself": (
        "def main():\n    import signal, time\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    while True: time.sleep(1)\n"
    ),
    "eats memory": "def main():\n    held = []\n    while True: held.append(bytearray(1 << 24))\n",
    "breaks the reader": (  # it runs, and never reports that it has proven itself
        "def main():\n    import asyncio\n    asyncio.run(asyncio.Event().wait())\n"
    ),
}


@pytest.fixture
def repository() -> SignedRepository:
    return SignedRepository()


@pytest.fixture
def where(tmp_path: Path, repository: SignedRepository) -> Places:
    return places(tmp_path, repository)


Install = Callable[..., dict[str, Any]]


@pytest.fixture
def install(where: Places, repository: SignedRepository) -> Install:
    """Puts a version into the free slot; how launch.json names it."""

    def put(version: str, code: str = WELL) -> dict[str, Any]:
        lay_down(where, repository, repository.add(version, program(version, f"VERSION = {version!r}\n{code}")))
        assert fill(where)
        [slot_name] = [name for name, (_, slot) in slots(where).items() if slot["version"] == version]
        return {"id": slot_name, "version": version}

    return put


def start(where: Places, *arguments: str, seconds: int = 30) -> subprocess.CompletedProcess[str]:
    """Once, as the unit does; of the unit's walls the one around memory."""
    environment = {
        "STEMPELWERK_UPDATES": str(where.base),
        "STEMPELWERK_PACKAGE": str(where.package),
        "STEMPELWERK_TRIAL_S": str(seconds),
        "PATH": os.environ["PATH"],
    }
    return subprocess.run(
        [sys.executable, "-I", "-S", launcher.__file__, *(arguments or ("run",))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29)),
    )


def kept_record(version: dict[str, Any], package: str = "1.0.0") -> dict[str, Any]:
    return {"kept": {**version, "package": package}}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_version_rolls_back_by_itself_that(fault: str, where: Places, install: Install) -> None:
    good, bad = install("1.1.0"), {}
    store(where.record, kept_record(good))
    bad = install("1.2.0", BROKEN[fault])
    store(where.record, {**kept_record(good), "trial": {**bad, "tries": 0}})
    for tries in range(1, TRIES + 1):
        assert start(where, seconds=1).returncode != 0
        assert read(where.record)["trial"]["tries"] == tries
    assert start(where).stdout == "slot 1.1.0 run\n"
    assert read(where.record) == {**kept_record(good), "trial": None, "failed": bad}
    assert start(where).stdout == "slot 1.1.0 run\n"


def test_what_is_kept_has_no_alarm(where: Places, install: Install) -> None:
    program = "def main():\n    import signal\n    print('left', signal.alarm(0))\n    return 0\n"
    version = install("1.1.0", program)
    store(where.record, kept_record(version))
    assert start(where).stdout == "left 0\n"
    store(where.record, {"trial": {**version, "tries": 0}})
    assert start(where, seconds=1000).stdout in ("left 1000\n", "left 999\n")


def test_other_commands_are_of_what_is_kept_and_count_nothing(where: Places, install: Install) -> None:
    good = install("1.1.0")
    store(where.record, kept_record(good))
    store(where.record, record_before := {**kept_record(good), "trial": {**install("1.2.0"), "tries": 0}})
    assert start(where, "check", "--config", "x").stdout == "slot 1.1.0 check --config x\n"
    assert read(where.record) == record_before


def spoil_record(where: Places) -> None:
    where.record.write_text('{"kept": ')


def spoil_members(where: Places) -> None:
    where.record.write_text('{"kept": 1, "trial": "x"}')


def spoil_file(where: Places) -> None:
    path = where.slot("a") / "stempelwerk_edge/__main__.py"
    path.write_text(path.read_text() + "\n")


def lose_file(where: Places) -> None:
    (where.slot("a") / "stempelwerk_edge/__init__.py").unlink()


def another_platform(where: Places) -> None:
    slot = read(where.slot("a") / "slot.json")
    store(where.slot("a") / "slot.json", {**slot, "platform": "cp399-vax"})


def another_list(where: Places) -> None:
    slot = read(where.slot("a") / "slot.json")
    store(where.slot("a") / "slot.json", {**slot, "files": {}})


@pytest.mark.parametrize(
    "spoil",
    [spoil_record, spoil_members, spoil_file, lose_file, another_platform, another_list],
    ids=lambda f: f.__name__,
)
def test_the_packages_program_is_started_where_nothing_else_is_sound(
    spoil: Callable[[Places], None], where: Places, install: Install
) -> None:
    store(where.record, kept_record(install("1.1.0")))
    spoil(where)
    assert start(where).stdout == "package 1.0.0 run\n"


def test_a_clock_that_never_updated_starts_the_packages_program(where: Places) -> None:
    assert start(where, "run", "--config", "x").stdout == "package 1.0.0 run --config x\n"


def test_a_try_that_cannot_be_written_down_is_none(where: Places, install: Install) -> None:
    good = install("1.1.0")
    store(where.record, kept_record(good))
    store(where.record, {**kept_record(good), "trial": {**install("1.2.0"), "tries": 0}})

    class ReadOnly(launcher.Disk):
        def write(self, path: Path, data: bytes) -> None:
            raise OSError("read-only")

    chosen_slot = choose(where, counting=True, disk=ReadOnly())
    assert chosen_slot is not None
    assert chosen_slot[0] == good["id"]


VERSIONS = st.sampled_from(["0.9.0", "1.0.0", "1.1.0", "1.10.0", "2.0.0"])


@given(VERSIONS, VERSIONS, VERSIONS)
def test_a_package_takes_the_place_of_what_is_kept_only_if_it_is_newer(kept: str, before: str, package: str) -> None:
    record = {"kept": {"id": "k", "version": kept, "package": before}}
    chosen_slot, next_record = step(record, {"k"}, package)
    is_package_taken = package != before and order(package) > order(kept)
    assert chosen_slot == (None if is_package_taken else "k")
    assert (next_record["kept"] is None) == is_package_taken


@given(
    st.lists(st.sampled_from(["start", "prove", "offer", "lose k", "lose t", "package"]), max_size=40),
)
def test_whatever_comes_no_version_is_tried_more_often_than_it_may(events: list[str]) -> None:
    record: dict[str, Any] = kept_record({"id": "k", "version": "1.0.0"})
    sound, package, tries = {"k", "t"}, "1.0.0", 0
    for event in events:
        if event == "start":
            chosen_slot, record = step(record, sound, package)
            assert chosen_slot is None or chosen_slot in sound
            tries = tries + 1 if chosen_slot == "t" and record.get("trial") else 0
            assert tries <= TRIES
            assert step(record, sound, package)[1] is not record or not record.get("trial")
        elif event == "prove" and record.get("trial"):
            record = {**record, **kept_record({"id": "t", "version": "1.1.0"}, package), "trial": None}
        elif event == "offer" and not record.get("trial"):
            record, tries = {**record, "trial": {"id": "t", "version": "1.1.0", "tries": 0}}, 0
        elif event.startswith("lose"):
            sound.discard(event[-1])
        elif event == "package":
            package = "1.5.0"
        json.dumps(record)
