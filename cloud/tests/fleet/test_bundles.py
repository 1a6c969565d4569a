"""A child process unpacks bundles within limits. A refused bundle leaves no file."""

import hashlib
import io
import os
import random
import signal
import stat
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import pytest
from stempelwerk_cloud.fleet.updates.intake import bundles
from stempelwerk_cloud.fleet.updates.intake.bundles import Bundle
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
from structlog.testing import capture_logs

from cloud.tests.databases import ON_SQLITE
from cloud.tests.fleet.ceremony import ceremony_at, release
from cloud.tests.fleet.test_updates import RELEASES, publish
from cloud.tests.waiting import until
from cloud.tests.world import World

MIB = 1024 * 1024
ROOT, WHEEL = "metadata/1.root.json", "targets/stable/a.whl"
SIZE_AT, OFFSET_AT = 24, 42
"""Offsets in an entry of the central directory: the size of its content, and the offset of its file."""
CENTRAL, END = b"PK\1\2", b"PK\5\6"


def zip_of(files: Mapping[str, bytes]) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def twice_the_same_name() -> bytes:
    same_length = "targets/stable/b.whl"
    return zip_of({WHEEL: b"a", same_length: b"b"}).replace(same_length.encode(), WHEEL.encode())


def lying(size: int) -> bytes:
    """A file of a thousand bytes, with another size in the directory."""
    content = zip_of({WHEEL: b"x" * 1000})
    offset = content.index(CENTRAL) + SIZE_AT
    return content[:offset] + struct.pack("<I", size) + content[offset + 4 :]


def damaged() -> bytes:
    """Changes a byte in the middle of a file."""
    content = bytearray(zip_of({WHEEL: random.Random(1).randbytes(1000)}))
    content[30 + len(WHEEL) + 500] ^= 1
    return bytes(content)


def nested(count: int, size: int) -> bytes:
    """Files that all have the same offset."""
    content = zip_of({f"targets/stable/{number}.whl": bytes(size if number == 0 else 0) for number in range(count)})
    offset = content.index(CENTRAL)
    (first_size,) = struct.unpack_from("<I", content, offset + SIZE_AT)
    entries = content[offset:].split(CENTRAL)[1:]
    size_field = struct.pack("<I", first_size)
    headers = [
        entry[: SIZE_AT - 4] + size_field + entry[SIZE_AT : OFFSET_AT - 4] + bytes(4) + entry[OFFSET_AT:]
        for entry in entries
    ]
    return content[:offset] + CENTRAL + CENTRAL.join(headers)


def names_without_end() -> bytes:
    """A zip whose directory fills the memory of the process."""
    entry = CENTRAL + bytes(24) + struct.pack("<H", 8) + bytes(16)
    directory = b"".join(entry + b"%08d" % number for number in range(250_000))
    return directory + END + struct.pack("<4H2LH", 0, 0, 0, 0, len(directory), 0, 0)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "a bomb": lambda: zip_of({WHEEL: bytes(bundles.MOST_UNPACKED + 1)}),
    "a bomb of many files in one place": lambda: nested(21, 10 * MIB),
    "few files in one place": lambda: nested(3, 1000),
    "a size that is too small": lambda: lying(10),
    "a size beyond the limit": lambda: lying(bundles.MOST_UNPACKED + 1),
    "too many files": lambda: zip_of({str(number): b"" for number in range(bundles.MOST_FILES + 1)}),
    "too much metadata": lambda: zip_of({ROOT: bytes(bundles.MOST_SIGNED + 1)}),
    "a name twice": twice_the_same_name,
    "a file that is cut off": lambda: zip_of({WHEEL: os.urandom(1000)})[:-200],
    "damage within a file": damaged,
    "names without end": names_without_end,
    "no zip": lambda: b"no zip",
}


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@ON_SQLITE
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_bundle_is_refused_and_leaves_no_file(world: World, temporary: Path, kind: str) -> None:
    answer = publish(world.admin(), HOSTILE[kind]())
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert answer.json()["message"] == "Das ist kein Paket mit Updates, oder es ist zu groß."
    assert not list(temporary.iterdir())


@ON_SQLITE
def test_a_bundle_beside_another_waits_and_is_refused_in_the_end(
    world: World, platform: Platform, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "_PATIENCE_S", 0)
    bundle = ceremony_at(platform).bundle(release("1.6.0"))
    place = machine_semaphore.try_take(platform, ["bundle"])
    assert place is not None
    with place:
        answer = publish(world.admin(), bundle)
    assert (answer.status_code, answer.json()["code"]) == (429, "files_busy")
    assert answer.json()["message"].startswith("Gerade wird schon ein Paket mit Updates ausgepackt.")
    assert not list(temporary.iterdir())


@ON_SQLITE
def test_the_unpacking_slot_is_free_after_every_outcome(
    world: World, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "_PATIENCE_S", 0)
    root = world.admin()
    assert publish(root, b"no zip").status_code == 422
    assert publish(root, ceremony_at(platform).bundle(release("1.6.0"))).status_code == 201


@ON_SQLITE
def test_only_system_administrators_have_a_bundle_unpacked(world: World, temporary: Path) -> None:
    answer = world.firm().boss.post(RELEASES, files={"file": ("updates.zip", b"no zip")})
    assert answer.status_code == 403
    assert not list(temporary.iterdir())


# -- the process


@pytest.fixture
def pool() -> Iterator[SubprocessPool]:
    pool = SubprocessPool()
    yield pool
    pool.end()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "bundle"
    path.mkdir()
    return path


def unpacked(pool: SubprocessPool, content: bytes, folder: Path) -> Bundle:
    with tempfile.SpooledTemporaryFile(max_size=MIB) as file, tempfile.TemporaryFile() as place:
        file.write(content)
        opened: BinaryIO = file  # type: ignore[assignment]
        return bundles.unpack(pool, opened, folder, place)


def test_metadata_is_known_by_role_and_version_and_files_by_their_digest(pool: SubprocessPool, folder: Path) -> None:
    large = os.urandom(3 * MIB)
    files = {ROOT: b"{1}", "metadata/12.stable.json": b"{12}", WHEEL: large, "targets/beta/b.json": b"{}"}
    bundle = unpacked(pool, zip_of(files), folder)
    assert bundle.signed == {("root", 1): b"{1}", ("stable", 12): b"{12}"}
    assert {digest: path.read_bytes() for digest, path in bundle.files.items()} == {
        hashlib.sha256(content).hexdigest(): content for content in (large, b"{}")
    }


def test_names_that_lead_elsewhere_and_symbolic_links_become_plain_files_or_nothing(
    pool: SubprocessPool, folder: Path
) -> None:
    link = zipfile.ZipInfo("targets/stable/link")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    names = ("targets/stable/..", "targets/stable/../../out", "../out", "/out", "targets/stable/a/b", "C:\\out")
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr(link, "/etc/passwd")
        for name in names:
            archive.writestr(name, name)
    bundle = unpacked(pool, buffer.getvalue(), folder)
    assert {path.read_bytes() for path in bundle.files.values()} == {b"/etc/passwd", b"targets/stable/.."}
    assert {path.parent for path in bundle.files.values()} == {folder}
    assert all(stat.S_ISREG(path.lstat().st_mode) for path in folder.iterdir())
    assert list(folder.parent.iterdir()) == [folder]


def test_a_disk_that_takes_no_more_is_no_fault_of_the_bundle(
    pool: SubprocessPool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of a file's size simulates the full disk."""
    monkeypatch.setattr(bundles, "JOB", bundles.JOB._replace(file_bytes=MIB))
    with capture_logs() as logged, pytest.raises(Problem) as refused:
        unpacked(pool, zip_of({WHEEL: bytes(2 * MIB)}), folder)
    assert (refused.value.status, refused.value.code) == (503, "unavailable")
    assert [line["event"] for line in logged] == ["bundle_not_unpacked"]


def test_a_process_at_its_limit_of_time_refuses_the_bundle(
    pool: SubprocessPool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "JOB", bundles.JOB._replace(seconds=0))
    with pytest.raises(Problem) as refused:
        unpacked(pool, zip_of({WHEEL: b"a"}), folder)
    assert refused.value.status == 422


@ON_SQLITE
def test_the_end_of_the_service_ends_the_process_and_leaves_no_file(
    world: World, platform: Platform, temporary: Path
) -> None:
    root = world.admin()

    def stop_and_end() -> None:
        """Stops the child process, so that the bundle is never unpacked, and ends the service."""
        until(lambda: bool(platform.subprocesses._processes))
        (process,) = platform.subprocesses._processes
        os.kill(process.pid, signal.SIGSTOP)
        assert list(temporary.iterdir())
        platform.subprocesses.end()

    with ThreadPoolExecutor() as threads:
        ending = threads.submit(stop_and_end)
        answer = publish(root, zip_of({WHEEL: bytes(100 * MIB)}))
        ending.result()
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert not list(temporary.iterdir())
