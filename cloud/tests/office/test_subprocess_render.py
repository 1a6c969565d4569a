"""Child processes draw and pack. They end with their caller, and their end fails nothing else."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import date, timedelta
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO
from zipfile import ZipFile

import msgspec
import pytest
import pyzipper
from fastapi import FastAPI
from openpyxl import load_workbook
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.limits.bulkheads import Bulkheads
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
from stempelwerk_cloud.kit.subprocesses.subprocess_render import NotDrawn
from stempelwerk_cloud.office.exports.files.sheets import Workbook
from stempelwerk_cloud.office.exports.files.timesheets import Timesheets
from stempelwerk_cloud.office.exports.month.months import Month, PersonMonth, Term, Worked
from stempelwerk_cloud.office.exports.tax_audit.inspected import Inspection
from stempelwerk_cloud.office.monthly_mail.mails.packing import LockedFile
from structlog.testing import capture_logs

from cloud.tests.databases import ON_SQLITE
from cloud.tests.quick_client import QuickClient

FIRST = date(2026, 5, 4)


def sheets(count: int) -> Timesheets:
    worked = Worked("1", FIRST, 480, 990, 510, 30, "clock", ("late",), False, ())
    term = Term(FIRST, "Büro", "hourly")
    people = [
        PersonMonth(str(number), f"Änne {number}", (term,), (worked,), (), (), 480, 0, None) for number in range(count)
    ]
    return Timesheets(Month("2026-05", "Firma Öz", tuple(people)), {"0": "0026"}, False)


def drawing() -> set[int]:
    """Returns the rendering child processes of this process."""
    pids = set()
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in map(int, children.read_text().split()):
            if b"kit.subprocesses.child" in Path(f"/proc/{pid}/cmdline").read_bytes():
                pids.add(pid)
    return pids


@pytest.fixture
def platform(tmp_path: Path) -> Any:
    return platform_at(tmp_path)


def platform_at(folder: Path) -> Any:
    return SimpleNamespace(
        settings=SimpleNamespace(data_dir=folder), subprocesses=SubprocessPool(), bulkheads=Bulkheads()
    )


def hold_places(platform: Platform, *names: str) -> BinaryIO:
    place = machine_semaphore.try_take(platform, names)
    assert place is not None
    return place


def test_pages_are_the_same_as_if_they_were_drawn_here(platform: Platform) -> None:
    """A month of one person and a month without people."""
    for order in (sheets(1), sheets(0)):
        assert subprocess_render.render(platform, "a", order) == order.render_file(lambda _: None)


def test_how_much_has_been_drawn_is_told_on_the_way(platform: Platform) -> None:
    progress: list[int] = []
    subprocess_render.render(platform, "a", sheets(35), progress.append)
    assert progress == [10, 20, 30]
    rows = ("Mo 04.05.2026", "08:00", "16:30", "0h 30m", "8h 00m", "", "", "")
    progress.clear()
    subprocess_render.render(
        platform, "a", Inspection("Firma", "Mai", (("Anna", (rows,)), ("Ben", ()))), progress.append
    )
    assert progress == [1, 2]


def test_a_process_that_is_killed_half_way_says_so_and_leaves_its_place(platform: Platform) -> None:
    def kill(_: int) -> None:
        for pid in drawing():
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(NotDrawn, match="-9"):
        subprocess_render.render(platform, "a", sheets(2000), kill)
    assert subprocess_render.render(platform, "a", sheets(1))


def test_what_cannot_be_drawn_fails_with_the_reason_in_the_log(platform: Platform) -> None:
    with capture_logs() as logs, pytest.raises(NotDrawn, match="1"):
        subprocess_render.render(platform, "a", Timesheets(Month("2026-13", "Firma", ()), {}, False))
    assert [row["event"] for row in logs] == ["paper_not_drawn"]
    assert "ValueError" in logs[0]["error"]


def test_the_end_of_the_service_ends_what_is_drawn_and_what_waits_for_a_place(platform: Platform) -> None:
    with ThreadPoolExecutor() as pool, hold_places(platform, "paper b"):
        waiting = pool.submit(subprocess_render.render, platform, "b", sheets(1))
        at_work = pool.submit(
            subprocess_render.render, platform, "a", sheets(2000), lambda _: platform.subprocesses.end()
        )
        for future in (waiting, at_work):
            with pytest.raises(NotDrawn) as ended:
                future.result()
            assert ended.value.pause == timedelta(seconds=1)
    assert drawing() == set()
    with pytest.raises(NotDrawn):
        subprocess_render.render(platform, "a", sheets(1))


@ON_SQLITE
def test_the_application_ends_it(app: FastAPI) -> None:
    pool: SubprocessPool = app.state.platform.subprocesses
    with QuickClient(app):
        assert not pool.ended.is_set()
    assert pool.ended.is_set()


def test_a_listener_that_fails_ends_it_too(platform: Platform) -> None:
    def fail(_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        subprocess_render.render(platform, "a", sheets(2000), fail)
    assert drawing() == set()


def test_a_company_has_one_at_a_time_and_leaves_a_place_for_another(platform: Platform) -> None:
    with hold_places(platform, "paper a"):
        with pytest.raises(NotDrawn):
            subprocess_render.render(platform, "a", sheets(1), patience_s=0)
        assert subprocess_render.render(platform, "b", sheets(1), patience_s=0)
    with ExitStack() as stack:
        for number in range(subprocess_render.LONG_PLACES):
            stack.enter_context(hold_places(platform, f"paper {number}"))
        with pytest.raises(NotDrawn):
            subprocess_render.render(platform, "c", sheets(1), patience_s=0)
    assert subprocess_render.render(platform, "c", sheets(1), patience_s=0)


_DIES = """
import os, sys
from pathlib import Path
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from cloud.tests.office.test_subprocess_render import platform_at, sheets
subprocess_render.render(platform_at(Path(sys.argv[1])), "a", sheets(2000), lambda _: os._exit(7))
"""


def test_it_does_not_outlive_a_service_that_dies(platform: Platform, tmp_path: Path) -> None:
    assert subprocess.run([sys.executable, "-c", _DIES, str(tmp_path)], check=False).returncode == 7
    while (place := machine_semaphore.try_take(platform, ["paper a"])) is None:
        pass
    place.close()


# -- papers for a person


def for_person(platform: Platform, company: str, user: str) -> bytes:
    return asyncio.run(subprocess_render.render_for_person(platform, company, user, sheets(1)))


def test_a_persons_paper_is_refused_by_who_is_in_the_way(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess_render, "PATIENCE_S", 0)
    for names, status, words in (
        (["paper of a 1"], 429, "Dein voriges PDF wird noch erstellt."),
        (["papers of a"], 429, "Gerade werden schon PDFs für andere aus deiner Firma erstellt."),
        ([f"paper {number}" for number in range(subprocess_render.PLACES)], 503, "Gerade werden zu viele PDFs"),
    ):
        with ExitStack() as stack:
            for name in names:
                stack.enter_context(hold_places(platform, name))
            with pytest.raises(Problem) as refused:
                for_person(platform, "a", "1")
        assert (refused.value.status, refused.value.code) == (status, "files_busy")
        assert refused.value.message.startswith(words)
    assert for_person(platform, "a", "1") == sheets(1).render_file(lambda _: None)


def test_files_of_whole_months_leave_a_place_for_a_persons_paper_also_of_the_same_company(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess_render, "PATIENCE_S", 0)
    with ExitStack() as stack:
        for company, number in zip("ab", range(subprocess_render.LONG_PLACES), strict=True):
            stack.enter_context(hold_places(platform, f"paper {company}"))
            stack.enter_context(hold_places(platform, f"paper {number}"))
        with pytest.raises(NotDrawn):
            subprocess_render.render(platform, "c", sheets(1), patience_s=0)
        assert for_person(platform, "a", "1")
        assert subprocess_render.render(platform, "a", sheets(1), patience_s=0, is_short=True)


def test_a_persons_paper_that_finds_the_service_ending_is_refused_as_unavailable(platform: Platform) -> None:
    platform.subprocesses.end()
    with pytest.raises(Problem) as refused:
        for_person(platform, "a", "1")
    assert (refused.value.status, refused.value.code) == (503, "unavailable")


# -- workbooks and archives


def test_a_workbook_of_500_people_and_31_days_is_made_within_the_limits_and_leaves_no_file(
    platform: Platform,
) -> None:
    month = sheets(500).month
    days = [msgspec.structs.replace(month.people[0].worked[0], id=str(day)) for day in range(31)]
    people = tuple(msgspec.structs.replace(person, worked=tuple(days)) for person in month.people)
    large = Workbook(msgspec.structs.replace(month, people=people), {}, False)
    initial = set(Path(tempfile.gettempdir()).glob("openpyxl.*"))
    workbook = load_workbook(BytesIO(subprocess_render.render(platform, "a", large)), read_only=True)
    assert sum(1 for _ in workbook.worksheets[0].iter_rows()) == 1 + 500 * 32
    assert set(Path(tempfile.gettempdir()).glob("openpyxl.*")) <= initial


def test_a_workbook_is_the_same_as_if_it_were_made_here(platform: Platform) -> None:
    month = sheets(3).month
    order = Workbook(month, {"0": "0026"}, False)
    copies = [subprocess_render.render(platform, "a", order), order.render_file(lambda _: None)]
    parts = [ZipFile(BytesIO(copy)) for copy in copies]
    assert {part.namelist() == parts[0].namelist() for part in parts} == {True}
    unchanged = [name for name in parts[0].namelist() if name != "docProps/core.xml"]
    assert "xl/worksheets/sheet1.xml" in unchanged
    for name in unchanged:
        assert parts[0].read(name) == parts[1].read(name), name


def test_a_locked_archive_opens_with_its_password_alone(platform: Platform) -> None:
    order = LockedFile("zeiten.csv", b"Anna;8", "Geheim-26")
    locked = subprocess_render.render(platform, "a", order, is_short=True)
    with pyzipper.AESZipFile(BytesIO(locked)) as archive:
        with pytest.raises(RuntimeError):
            archive.read("zeiten.csv")
        assert archive.read("zeiten.csv", b"Geheim-26") == b"Anna;8"
