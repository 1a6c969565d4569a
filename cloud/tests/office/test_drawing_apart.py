"""Paper is drawn in a process of its own, which ends with whoever wants it, and whose end fails nothing else."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest
from fastapi import FastAPI
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.paper import apart
from stempelwerk_cloud.kit.paper.processes import Drawing, NotDrawn
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.exports.inspected import Inspection
from stempelwerk_cloud.office.exports.months import Month, PersonMonth, Term, Worked
from stempelwerk_cloud.office.exports.timesheets import Timesheets
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
    """The processes that draw for this one."""
    found = set()
    for listed in Path("/proc/self/task").glob("*/children"):
        for pid in map(int, listed.read_text().split()):
            if b"kit.paper.drawing" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.add(pid)
    return found


@pytest.fixture
def platform(tmp_path: Path) -> Any:
    return platform_at(tmp_path)


def platform_at(folder: Path) -> Any:
    return SimpleNamespace(settings=SimpleNamespace(data_dir=folder), drawing=Drawing())


def taken(platform: Platform, *names: str) -> BinaryIO:
    place = places.try_take(platform, names)
    assert place is not None
    return place


def test_pages_are_the_same_as_if_they_were_drawn_here(platform: Platform) -> None:
    """Whatever there is of a person, and nobody at all."""
    for order in (sheets(1), sheets(0)):
        assert apart.drawn(platform, "a", order) == order.drawn(lambda _: None)


def test_how_much_has_been_drawn_is_told_on_the_way(platform: Platform) -> None:
    told: list[int] = []
    apart.drawn(platform, "a", sheets(35), told.append)
    assert told == [10, 20, 30]
    rows = ("Mo 04.05.2026", "08:00", "16:30", "0h 30m", "8h 00m", "", "", "")
    told.clear()
    apart.drawn(platform, "a", Inspection("Firma", "Mai", (("Anna", (rows,)), ("Ben", ()))), told.append)
    assert told == [1, 2]


def test_a_process_that_is_killed_half_way_says_so_and_leaves_its_place(platform: Platform) -> None:
    def kill(_: int) -> None:
        for pid in drawing():
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(NotDrawn, match="-9"):
        apart.drawn(platform, "a", sheets(2000), kill)
    assert apart.drawn(platform, "a", sheets(1))


def test_what_cannot_be_drawn_fails_with_the_reason_in_the_log(platform: Platform) -> None:
    with capture_logs() as said, pytest.raises(NotDrawn, match="1"):
        apart.drawn(platform, "a", Timesheets(Month("2026-13", "Firma", ()), {}, False))
    assert [one["event"] for one in said] == ["paper_not_drawn"]
    assert "ValueError" in said[0]["error"]


def test_the_end_of_the_service_ends_what_is_drawn_and_what_waits_for_a_place(platform: Platform) -> None:
    with ThreadPoolExecutor() as pool, taken(platform, "paper b"):
        waiting = pool.submit(apart.drawn, platform, "b", sheets(1))
        at_work = pool.submit(apart.drawn, platform, "a", sheets(2000), lambda _: platform.drawing.end())
        for one in (waiting, at_work):
            with pytest.raises(NotDrawn) as ended:
                one.result()
            assert ended.value.pause == timedelta(seconds=1)
    assert drawing() == set()
    with pytest.raises(NotDrawn):
        apart.drawn(platform, "a", sheets(1))


@ON_SQLITE
def test_the_application_ends_it(app: FastAPI) -> None:
    drawing_: Drawing = app.state.platform.drawing
    with QuickClient(app):
        assert not drawing_.ended.is_set()
    assert drawing_.ended.is_set()


def test_a_listener_that_fails_ends_it_too(platform: Platform) -> None:
    def fail(_: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        apart.drawn(platform, "a", sheets(2000), fail)
    assert drawing() == set()


def test_a_company_has_one_at_a_time_and_leaves_a_place_for_another(platform: Platform) -> None:
    with taken(platform, "paper a"):
        with pytest.raises(NotDrawn):
            apart.drawn(platform, "a", sheets(1), patience_s=0)
        assert apart.drawn(platform, "b", sheets(1), patience_s=0)
    with ExitStack() as stack:
        for number in range(apart.OF_ALL):
            stack.enter_context(taken(platform, f"paper {number}"))
        with pytest.raises(NotDrawn):
            apart.drawn(platform, "c", sheets(1), patience_s=0)
    assert apart.drawn(platform, "c", sheets(1), patience_s=0)


_DIES = """
import os, sys
from pathlib import Path
from stempelwerk_cloud.kit.paper import apart
from cloud.tests.office.test_drawing_apart import platform_at, sheets
apart.drawn(platform_at(Path(sys.argv[1])), "a", sheets(2000), lambda _: os._exit(7))
"""


def test_it_does_not_outlive_a_service_that_dies(platform: Platform, tmp_path: Path) -> None:
    assert subprocess.run([sys.executable, "-c", _DIES, str(tmp_path)], check=False).returncode == 7
    while (place := places.try_take(platform, ["paper a"])) is None:
        pass
    place.close()
