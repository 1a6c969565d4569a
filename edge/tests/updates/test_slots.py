"""The release in a slot: a whole release that the channel vouches for, and nothing else; the running one is never
touched.
"""

import shutil
from collections.abc import Callable
from datetime import timedelta
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_edge.updates.launcher import SLOTS, Disk, Places, is_sound, own_platform, read, slots, store
from stempelwerk_edge.updates.slots import fill
from stempelwerk_edge.updates.trust import LARGEST_MANIFEST

from edge.tests.updates.repository import SignedRepository, keys, lay_down, places, program, wheel

Spoil = Callable[[SignedRepository, str], Any]


@pytest.fixture
def repository() -> SignedRepository:
    return SignedRepository()


@pytest.fixture
def where(tmp_path: Path, repository: SignedRepository) -> Places:
    return places(tmp_path, repository)


def filled(where: Places) -> dict[str, str]:
    """The folders of the sound slots, by version."""
    return {slot["version"]: folder.name for folder, slot in slots(where).values() if is_sound(folder, slot)}


def wheel_of(repository: SignedRepository) -> str:
    return next(name for name in repository.files if name.endswith(".whl"))


def turn_a_bit(repository: SignedRepository, name: str) -> None:
    data = repository.files[name]
    repository.files[name] = data[:-1] + bytes([data[-1] ^ 1])


def by_the_beta_key(repository: SignedRepository, _: str) -> None:
    beta = repository.channel_keys["beta"]
    repository.publish({"stable": beta, "beta": beta})


def with_a_stranger(repository: SignedRepository, _: str) -> None:
    stranger = keys(1)[0]
    repository.publish({"stable": stranger, "beta": stranger})


SPOILED: dict[str, Spoil] = {
    "a bit of a wheel is another": lambda r, _: turn_a_bit(r, wheel_of(r)),
    "a wheel is missing": lambda r, _: r.files.pop(wheel_of(r)),
    "stable is signed by beta's key": by_the_beta_key,
    "stable is signed by a stranger": with_a_stranger,
    "it was withdrawn": lambda r, target: (r.released["stable"].pop(target), r.publish()),
    "the timestamp is over": lambda r, _: r.publish(timestamp=timedelta(days=15)),
    "there is no metadata": lambda r, _: r.files.clear(),
}


@pytest.mark.parametrize("spoiled", SPOILED)
def test_nothing_is_filled_where(spoiled: str, where: Places, repository: SignedRepository) -> None:
    target = repository.add("1.1.0", program("1.1.0"))
    SPOILED[spoiled](repository, target)
    lay_down(where, repository, target)
    assert not fill(where)
    assert slots(where) == {}
    assert read(where.base / "slots/report.json")["state"] == "refused"


MANIFESTS: dict[str, dict[str, Any]] = {
    "is another version's": {"version": "1.2.0"},
    "is another platform's": {"platform": "cp399-vax"},
    "names a wheel of the other channel": {"wheels": [{"target": "beta/a.whl", "sha256": "0", "length": 1}]},
    "names no wheel": {"wheels": [{"target": "stable/../../etc/passwd", "sha256": "0", "length": 1}]},
    "is none": {"wheels": None},
    "is larger than a manifest may be": {"notes": "x" * LARGEST_MANIFEST},
}


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_a_vouched_manifest_fills_nothing_that(manifest: str, where: Places, repository: SignedRepository) -> None:
    lay_down(where, repository, repository.add("1.1.0", program("1.1.0"), wrong=MANIFESTS[manifest]))
    assert not fill(where)
    assert slots(where) == {}


@pytest.mark.parametrize("name", ["../outside.py", "/etc/x", "slot.json"])
def test_a_wheel_writes_nowhere_else(name: str, where: Places, repository: SignedRepository) -> None:
    lay_down(where, repository, repository.add("1.1.0", wheel({name: "x"})))
    assert not fill(where)
    assert slots(where) == {}


def test_what_is_of_another_platform_is_not_even_asked_for(where: Places, repository: SignedRepository) -> None:
    lay_down(where, repository, repository.add("1.1.0", program("1.1.0"), platform="cp399-vax"))
    assert not fill(where)
    assert "no release for" in read(where.base / "slots/report.json")["why"]


def test_an_older_state_of_the_repository_is_not_taken_again(where: Places, repository: SignedRepository) -> None:
    target = repository.add("1.1.0", program("1.1.0"))
    files_before = dict(repository.files)
    repository.publish()
    lay_down(where, repository, target)
    assert fill(where)
    repository.files = files_before
    lay_down(where, repository, target)
    assert not fill(where)


def test_a_service_can_send_back_to_a_listed_version_until_the_clock_has_seen_it_withdrawn(
    where: Places, repository: SignedRepository
) -> None:
    older, newer = (repository.add(version, program(version)) for version in ("1.0.9", "1.1.0"))
    for target in (newer, older):
        lay_down(where, repository, target)
        assert fill(where)
    files_before = dict(repository.files)
    del repository.released["stable"][older]
    lay_down(where, repository, repository.add("1.2.0", program("1.2.0")))
    assert fill(where)
    repository.files = files_before
    lay_down(where, repository, older)
    assert not fill(where)
    assert read(where.base / "slots/report.json")["state"] == "refused"


def test_a_release_fills_a_slot_with_everything_compiled(where: Places, repository: SignedRepository) -> None:
    lay_down(where, repository, repository.add("1.1.0", program("1.1.0"), wheel({"other/data.txt": "x"})))
    assert fill(where)
    [(folder, slot)] = slots(where).values()
    assert (slot["version"], slot["platform"]) == ("1.1.0", own_platform())
    assert {"other/data.txt", "stempelwerk_edge/__main__.py"} < slot["files"].keys()
    assert "stempelwerk_edge/__pycache__/__main__.cpython-311.pyc" in slot["files"]
    assert is_sound(folder, slot)


def test_only_a_slot_that_is_not_used_is_filled(where: Places, repository: SignedRepository) -> None:
    seen_slots = []
    for minor in range(1, 5):
        lay_down(where, repository, repository.add(f"1.{minor}.0", program(f"1.{minor}.0")))
        assert fill(where)
        versions = filled(where)
        seen_slots.append(versions[f"1.{minor}.0"])
        [kept_slot_name] = [name for name, (_, slot) in slots(where).items() if slot["version"] == f"1.{minor}.0"]
        store(where.record, {"kept": {"id": kept_slot_name, "version": f"1.{minor}.0", "package": "1.0.0"}})
    assert seen_slots == ["a", "b", "a", "b"]
    assert filled(where).keys() == {"1.3.0", "1.4.0"}


def test_a_wheel_that_is_here_need_not_come_again(where: Places, repository: SignedRepository) -> None:
    library = wheel({"library.py": "x = 1\n"})
    lay_down(where, repository, repository.add("1.1.0", library, program("1.1.0")))
    assert fill(where)
    target = repository.add("1.2.0", library, program("1.2.0"))
    repository.files = {path: data for path, data in repository.files.items() if data != library}
    shutil.rmtree(where.base / "exchange/incoming")
    lay_down(where, repository, target)
    assert fill(where)
    assert filled(where)["1.2.0"] == "b"
    assert any("library.py" in slot["files"] for _, slot in slots(where).values() if slot["version"] == "1.2.0")


def test_a_release_for_which_there_is_no_room_leaves_all_the_room_that_there_was(
    where: Places, repository: SignedRepository
) -> None:
    class Small(Disk):
        room = 2_000

        def write(self, path: Path, data: bytes) -> None:
            self.room -= len(data)
            if self.room < 0 and path.suffix != ".new":
                path.write_bytes(data[:1])
                raise OSError(ENOSPC, "no space left on device")
            super().write(path, data)

    lay_down(where, repository, repository.add("1.1.0", program("1.1.0"), wheel({"data.bin": bytes(5_000)})))
    assert not fill(where, Small())
    assert "no space" in read(where.base / "slots/report.json")["why"]
    assert not any(where.slot(name).exists() for name in SLOTS)
    assert fill(where)


def test_dates_are_judged_by_the_time_that_the_agent_has_found(where: Places, repository: SignedRepository) -> None:
    target = repository.add("1.1.0", program("1.1.0"))
    lay_down(where, repository, target, repository.now + timedelta(days=15))
    assert not fill(where)
    lay_down(where, repository, target, repository.now + timedelta(days=13))
    assert fill(where)


def test_a_clock_that_was_off_for_two_years_updates_over_changed_roots(
    where: Places, repository: SignedRepository
) -> None:
    for _ in range(3):
        repository.now += timedelta(days=240)
        old_keys, repository.root_keys = repository.root_keys, [*repository.root_keys[1:], *keys(1)]
        repository.sign_root([*old_keys[1:], repository.root_keys[-1]])
        repository.publish()
    lay_down(where, repository, repository.add("2.0.0", program("2.0.0")))
    assert fill(where)


@pytest.mark.parametrize("wanted", [{}, {"target": 1}, {"target": "stable/x", "at": "yesterday"}])
def test_nonsense_is_refused_and_reported(wanted: dict[str, Any], where: Places) -> None:
    store(where.base / "exchange/wanted.json", wanted)
    assert not fill(where)
    assert read(where.base / "slots/report.json")["state"] == "refused"
