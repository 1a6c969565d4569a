"""Repeated lines are written once and then counted, in the system's log and in the cloud's."""

import io
import itertools
import logging
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.errors import ReaderFault
from stempelwerk_edge.logbook import Logbook
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.readers.watch import ReaderWatch
from stempelwerk_edge.repeats import RepeatFilter, Repeats
from stempelwerk_edge.storage.journal import connect_sqlite

from edge.tests.clockwork import TestClock, TestIds

LEFT_OUT = re.compile(r"again, (\d+) times left out")


class Cable:
    """A reader whose cable touches every other moment, and the time that passes meanwhile."""

    def __init__(self, clock: TestClock, until_s: float) -> None:
        self._clock, self._until_s = clock, until_s
        self._looks = itertools.count()
        self.at = 0.0

    def open(self) -> None:
        """Touches."""

    def poll(self) -> None:
        if next(self._looks) % 2:
            raise ReaderFault("/dev/stempelwerk-reader: SerialException('device reports readiness but no data')")

    def close(self) -> None:
        """Does not matter."""

    def wait(self, stopping: threading.Event, seconds: float) -> None:
        self.at += seconds
        self._clock.advance(seconds=seconds)
        if self.at >= self._until_s:
            stopping.set()


@pytest.fixture
def system_log() -> Iterator[tuple[io.StringIO, logging.Handler]]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream, handler
    root.removeHandler(handler)
    root.setLevel(level)


def test_a_loose_cable_of_an_hour_is_a_few_lines_and_every_change_is_counted(
    tmp_path: Path, ids: TestIds, system_log: tuple[io.StringIO, logging.Handler]
) -> None:
    clock, (stream, handler) = TestClock(), system_log
    logbook = Logbook(tmp_path, TrustedTime(clock), ids, connect_sqlite)
    cable = Cable(clock, until_s=3600.0)
    handler.addFilter(RepeatFilter(lambda: cable.at))
    changes = []

    def note(state: str) -> None:
        changes.append(state)
        logbook.report("warn", f"reader_{state}", f"the reader is {state}", {})

    watch = ReaderWatch(cable, print, print, note, monotonic=lambda: cable.at, wait=cable.wait)
    watch.run()
    lines = stream.getvalue().splitlines()
    entries = logbook.waiting(1000)
    logbook.close()
    assert len(changes) > 6_000
    assert len(lines) <= 4 * 7
    assert len(entries) <= 2 * 5
    for state in ("ok", "fault"):
        passed = [line for line in lines if line.startswith(f"reader_{state}: ")]
        assert (
            len(passed) + sum(int(match[1]) for match in map(LEFT_OUT.search, passed) if match)
            > changes.count(state) / 3
        )
        repeated = [entry["meta"].get("repeated", 0) for entry in entries if entry["code"] == f"reader_{state}"]
        assert len(repeated) + sum(repeated) > changes.count(state) / 3


def test_a_line_passes_at_growing_pauses_with_the_number_of_those_left_out() -> None:
    repeats = Repeats(60, 240)
    passed = [(now, count) for now in range(1000) if (count := repeats.count("x", now)) is not None]
    assert passed == [(0, 0), (60, 59), (180, 119), (420, 239), (660, 239), (900, 239)]


def test_a_line_that_was_away_for_its_pause_is_new_again() -> None:
    repeats = Repeats(60, 240)
    times = (0, 30, 100, 130, 161, 400, 430, 461)
    passed = [(now, count) for now in times if (count := repeats.count("x", now)) is not None]
    assert passed == [(0, 0), (100, 1), (161, 1), (400, 0), (461, 1)]


@given(st.lists(st.tuples(st.floats(0, 400), st.sampled_from("ab")), max_size=200))
def test_every_line_passes_or_is_counted_and_a_change_is_told_at_once(lines: list[tuple[float, str]]) -> None:
    repeats, now, passed = Repeats(60, 240), 0.0, 0
    for pause, key in lines:
        now += pause
        passed += 0 if (count := repeats.count(key, now)) is None else 1 + count
    for key in "ab":
        count = repeats.count(key, now + 10_000)
        assert count is not None
        passed += count
    assert passed == len(lines)
    assert repeats.count("another", now) == 0


@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from("ab")), max_size=200))
def test_the_last_line_of_each_kind_is_written_at_the_end_of_its_pause_at_the_latest(
    lines: list[tuple[int, str]],
) -> None:
    # Whole numbers, as a sum of fractions can fall short of the pause by its rounding.
    repeats: Repeats[str] = Repeats(60, 240)
    now, came, written_at = 0, {}, {}
    for pause, key in [*lines, (240, "")]:
        now += pause
        for overdue, _, came_at in repeats.overdue(now):
            assert came_at == came[overdue]
            written_at[overdue] = came_at
        if key:
            came[key] = now
            if repeats.count(key, now) is not None:
                written_at[key] = now
    assert written_at == came
    assert repeats.overdue(now + 10_000) == []


def test_lines_that_were_left_out_are_written_in_the_order_in_which_they_came() -> None:
    repeats: Repeats[str] = Repeats(60, 240)
    passed = [repeats.count(key, now) for now, key in enumerate(("online", "offline", "online", "offline", "online"))]
    assert passed == [0, 0, None, None, None]
    assert repeats.overdue(59) == []
    assert repeats.overdue(61) == [("offline", 1, 3), ("online", 2, 4)]
    assert repeats.overdue(62) == []


def test_the_systems_log_says_how_long_ago_the_last_of_a_repeated_line_was(
    system_log: tuple[io.StringIO, logging.Handler],
) -> None:
    now = [0.0]
    repeats = RepeatFilter(lambda: now[0])
    system_log[1].addFilter(repeats)
    for now[0] in (0.0, 3.0, 4.0):
        logging.getLogger("here").warning("reader %s", "fault")
    now[0] = 59.0
    assert repeats.overdue() == []
    now[0] = 61.0
    [record] = repeats.overdue()
    assert (record.name, record.levelno) == ("here", logging.WARNING)
    assert record.getMessage() == "reader fault (again, 2 times left out, the last 57 s ago)"


def test_other_lines_are_never_held_back_by_one_that_repeats() -> None:
    repeats = Repeats(60, 240)
    for number in range(5000):
        repeats.count("the same", 0.0)
        assert repeats.count(f"line {number}", 0.0) == 0


def test_a_traceback_is_written_with_its_first_line(system_log: tuple[io.StringIO, logging.Handler]) -> None:
    stream, handler = system_log
    handler.addFilter(RepeatFilter(itertools.count(step=31.0).__next__))
    for _ in range(3):
        try:
            raise RuntimeError("planted")
        except RuntimeError:
            logging.getLogger("here").exception("reader: %s", "failed")
    assert stream.getvalue().count("RuntimeError: planted") == 2
    assert "reader: failed (again, 1 times left out)" in stream.getvalue()


def test_the_programs_log_writes_a_repeated_line_once() -> None:
    program = (
        "import logging, sys\n"
        "from stempelwerk_edge.machine.system_log import set_up_log\n"
        "set_up_log(sys.stderr)\n"
        "for _ in range(1000):\n"
        "    logging.getLogger('uvicorn.error').warning('Invalid HTTP request received.')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "WARNING uvicorn.error: Invalid HTTP request received.\n"
