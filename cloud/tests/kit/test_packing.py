"""The process that packs: its results, its limits, and its end. Also spools and turns."""

import asyncio
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit.files import places, spool
from stempelwerk_cloud.kit.files.packing import frames, processes
from stempelwerk_cloud.kit.files.packing.frames import encoded, plain
from stempelwerk_cloud.kit.files.packing.processes import NotPacked, Packing
from stempelwerk_cloud.kit.files.spool import Spool
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits.bulkheads import Bulkhead
from stempelwerk_cloud.kit.subprocesses import child
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
from stempelwerk_cloud.office.records import page

NOW = datetime(2026, 11, 20, 12, 0, 1, 5000, tzinfo=UTC)
COLUMNS = [
    page.Column("date", "Tag"),
    page.Column("flags", "Hinweise", words={"late": "nachträglich eingegangen"}),
    page.Column("raw_minutes", "Anwesend (Min)"),
]
TABLE = encoded(page.Table("entries", "Zeiteinträge", COLUMNS))


@pytest.fixture
def place() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        yield file


@pytest.fixture
def pool() -> Iterator[SubprocessPool]:
    pool = SubprocessPool()
    yield pool
    pool.end()


@pytest.fixture
def packing(pool: SubprocessPool) -> Packing:
    return Packing(pool)


def _rows(count: int, flag: str = "late") -> bytes:
    return encoded(frames.Rows([plain([date(2026, 11, 20), [flag], number]) for number in range(count)]))


def test_the_process_packs_tables_pages_files_and_sheets(packing: Packing, place: BinaryIO) -> None:
    sent = [
        encoded(page.Begin("anna/", "Anna <3, Tischlerei", NOW, "Europe/Berlin")),
        TABLE,
        _rows(2),
        _rows(1),
        encoded(page.Table("duties", "Dienste", [])),
        encoded(frames.File("note.jpg", b"\xff\xd8")),
        encoded(page.Left([("Nachrichten", "gehört der Person allein")])),
        encoded(page.Sheet("zeiten.csv", ["Name", "Tag", "Std"])),
        encoded(frames.Rows([plain(["=anna", date(2026, 11, 20), Decimal("-7.50")])])),
    ]
    with packing.packer(page.__name__, place) as packer:
        packed = b"".join([*map(packer.pack, sent), packer.close()])
    archive = zipfile.ZipFile(io.BytesIO(packed))
    assert archive.testzip() is None
    assert [row["raw_minutes"] for row in json.loads(archive.read("anna/daten/entries.json"))] == [0, 1, 0]
    assert json.loads(archive.read("anna/daten/duties.json")) == []
    assert archive.read("anna/note.jpg") == b"\xff\xd8"
    assert archive.read("zeiten.csv").decode("utf-8-sig") == "Name;Tag;Std\r\n'=anna;20.11.2026;-7,50\r\n"
    page_html = archive.read("anna/auskunft.html").decode()
    assert "Anna &lt;3, Tischlerei" in page_html
    assert "<td>20.11.2026</td><td>nachträglich eingegangen</td><td>1</td>" in page_html
    assert "<li>Nachrichten: gehört der Person allein.</li>" in page_html


def test_a_file_that_needs_too_much_memory_ends_only_its_process(packing: Packing, place: BinaryIO) -> None:
    with packing.packer(page.__name__, place) as packer:
        packer.pack(encoded(page.Begin("", "Anna", NOW, "Europe/Berlin")))
        packer.pack(TABLE)
        rows = _rows(2_000, "late" * 1_000)
        with pytest.raises(NotPacked):
            list(map(packer.pack, [rows] * 200))


def test_a_process_that_takes_too_long_is_ended(
    packing: Packing, place: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "JOB", processes.JOB._replace(seconds=0.0))
    rows = _rows(20_000)
    with packing.packer(page.__name__, place) as packer, pytest.raises(NotPacked):
        list(map(packer.pack, [encoded(page.Begin("", "Anna", NOW, "Europe/Berlin")), TABLE, *[rows] * 200]))


def test_with_the_service_all_of_them_end_and_none_begins(
    packing: Packing, pool: SubprocessPool, place: BinaryIO
) -> None:
    with packing.packer(page.__name__, place) as packer:
        packer.pack(encoded(page.Begin("", "Anna", NOW, "Europe/Berlin")))
        pool.end()
        with pytest.raises(NotPacked):
            packer.close()
    with packing.packer(page.__name__, place) as packer, pytest.raises(NotPacked):
        packer.pack(TABLE)


def test_the_packing_process_ends_with_the_service_and_has_its_limits() -> None:
    job = processes.JOB._replace(argument=page.__name__)
    command = [sys.executable, "-I", "-m", child.__name__, json.dumps(job)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        frames.write(process.stdin, encoded(page.Begin("", "Anna", NOW, "Europe/Berlin")))
        assert frames.read(process.stdout) == b""
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        assert [line.split()[3] for line in limits.splitlines() if line.startswith("Max cpu time")] == ["900"]
        assert str(job.memory_bytes) in limits
        process.stdin.close()
        assert process.wait(60) == 0


# -- spools


def _through(sizes: list[int], capacity: int) -> tuple[bytes, bytes, int]:
    """Returns the bytes put into a spool, the bytes read from it, and the size of its file."""
    sent = [os.urandom(size) for size in sizes]

    async def story() -> tuple[bytes, int]:
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(Spool(Path(folder), Bulkhead("spool", threads=2, permits=2), capacity)) as pipe,
        ):

            async def make() -> None:
                for piece in sent:
                    await pipe.put(piece)
                pipe.end()

            making = asyncio.create_task(make())
            received = b"".join([chunk async for chunk in _chunks(pipe)])
            await making
            return received, os.fstat(pipe._file.fileno()).st_size

    return b"".join(sent), *asyncio.run(story())


async def _chunks(pipe: Spool) -> Any:
    while chunk := await pipe.get():
        yield chunk


@given(st.lists(st.integers(0, 300), max_size=20), st.integers(1, 200))
def test_a_spool_returns_its_bytes_and_its_file_stays_small(sizes: list[int], capacity: int) -> None:
    sent, received, size = _through(sizes, capacity)
    assert received == sent
    assert size <= capacity


def test_a_spool_holds_its_maker_back_and_nothing_in_its_file_can_be_read(tmp_path: Path) -> None:
    async def story() -> None:
        with closing(Spool(tmp_path, Bulkhead("spool", threads=2, permits=2), 100)) as pipe:
            await pipe.put(b"geheim " * 14)
            assert os.fstat(pipe._file.fileno()).st_nlink == 0
            assert b"geheim" not in os.pread(pipe._file.fileno(), 100, 0)
            waiting = asyncio.create_task(pipe.put(b"mehr"))
            await asyncio.sleep(0)
            assert not waiting.done()
            assert await pipe.get() == b"geheim " * 14
            await waiting

    assert spool.MOST >= 20 * 1024 * 1024
    asyncio.run(story())


# -- turns


@pytest.fixture
def platform(tmp_path: Path) -> Any:
    return SimpleNamespace(settings=SimpleNamespace(data_dir=tmp_path))


@pytest.mark.parametrize("making", [places.MONTH_FILE, places.INSPECTION, places.IMPORT])
def test_a_refusal_names_the_work_that_has_the_companys_turn(
    platform: Any, making: places.Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "PATIENCE_S", 0)

    def refusal(sentence: str) -> Problem:
        return places.busy(429, sentence)

    def take(kind: places.Making) -> BinaryIO:
        return asyncio.run(places.take_turn(platform, "a", kind, refusal))

    with take(making), pytest.raises(Problem) as refused:
        take(places.MONTH_FILE)
    assert refused.value.message == f"{making.sentence} Bitte gleich noch einmal versuchen."
    take(places.MONTH_FILE).close()


def test_work_of_many_pieces_lets_waiting_callers_in_between(platform: Any) -> None:
    """It takes the turn again at once; the other still comes before its next piece."""
    order: list[str] = []

    async def take(making: places.Making) -> BinaryIO:
        return await places.take_turn(platform, "a", making, lambda _: places.busy(429, ""), patience_s=60)

    async def once() -> None:
        with await take(places.MONTH_FILE):
            order.append("export")

    async def story() -> None:
        first = await take(places.INSPECTION)
        waiting = asyncio.create_task(once())
        await asyncio.sleep(0)
        first.close()
        for _ in range(3):
            with await take(places.INSPECTION):
                order.append("piece")
        await waiting

    asyncio.run(story())
    assert order[0] == "export"
