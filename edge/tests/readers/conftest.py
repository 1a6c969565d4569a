"""Fixtures of the readers' tests: a simulated PN532, a field of nfcpy's udp driver, and a watch that is quick."""

import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from stempelwerk_edge.readers.nfc import NfcReader
from stempelwerk_edge.readers.watch import ReaderWatch
from stempelwerk_tools.simulators.pty_reader import PtyReader
from stempelwerk_tools.simulators.udp_tag import UdpTag


class Events:
    """The reports of a watch, in order; waits for them without polling."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.taps: list[str] = []
        self.unreadable: list[str] = []
        self.states: list[str] = []

    def note(self, into: list[str]) -> Callable[[str], None]:
        def add(value: str) -> None:
            with self._changed:
                into.append(value)
                self._changed.notify_all()

        return add

    def wait_for(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, 60), (self.taps, self.unreadable, self.states)


@pytest.fixture
def line() -> Iterator[PtyReader]:
    with PtyReader() as reader:
        yield reader


@pytest.fixture
def reader(line: PtyReader) -> Iterator[NfcReader]:
    nfc = NfcReader(line.path)
    nfc.open()
    yield nfc
    nfc.close()


@pytest.fixture
def field() -> Iterator[UdpTag]:
    with UdpTag() as tag:
        yield tag


@pytest.fixture
def watching() -> Iterator[Callable[..., Events]]:
    """Starts a watch over a reader; every one is stopped at the end. Back-off is cut to hundredths of a second.

    The interval of two looks is the same as on a clock, however long it took here.
    """
    watches: list[ReaderWatch] = []

    def start(reader: Any, **other: Any) -> Events:
        events = Events()
        watch = ReaderWatch(
            reader,
            other.get("on_tag", events.note(events.taps)),
            events.note(events.unreadable),
            events.note(events.states),
            monotonic=itertools.count(step=0.05).__next__,
            wait=lambda event, seconds: event.wait(min(seconds, 0.02)),
        )
        watches.append(watch)
        watch.start()
        return events

    yield start
    for watch in watches:
        watch.stop()
