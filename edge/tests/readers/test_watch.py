"""The watch keeps a reader going: whatever it does, the next tap is read, once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_edge.configuration import ReaderSettings
from stempelwerk_edge.readers import reader_for
from stempelwerk_edge.readers.nfc import NfcReader
from stempelwerk_tools.simulators import tags
from stempelwerk_tools.simulators.pty_reader import Fault, PtyReader
from stempelwerk_tools.simulators.udp_tag import UdpTag

ANNA, BERT = "04A224B1C2D380", "A1B2C3D4"
Watching = Callable[..., Any]


def test_a_tag_that_stays_is_one_tap_until_it_is_lifted(line: PtyReader, watching: Watching) -> None:
    events = watching(NfcReader(line.path))
    line.hold(tags.tag_of(ANNA))
    assert line.wait_for_reads(20)
    line.remove()
    polls = line.chip.commands[0x4A]
    assert line.wait_until(lambda: line.chip.commands[0x4A] > polls + 100)
    line.hold(tags.tag_of(ANNA))
    events.wait_for(lambda: len(events.taps) == 2)
    line.hold(tags.tag_of(BERT))
    events.wait_for(lambda: len(events.taps) == 3)
    assert events.taps == [ANNA, ANNA, BERT]
    assert events.states == ["ok"]


def test_a_tag_at_the_edge_of_the_field_is_one_tap(line: PtyReader, watching: Watching) -> None:
    flickers = [(1, 25), (3, 2), (1, 20), (2, 25), (1, 1), (1, 25)] * 10
    line.chip.answers = iter(
        [answer for seen_looks, missed in flickers for answer in [True] * seen_looks + [False] * missed]
    )
    events = watching(NfcReader(line.path))
    line.hold(tags.tag_of(ANNA))
    assert line.wait_for_reads(sum(seen_looks for seen_looks, _ in flickers) + 10)
    line.hold(tags.tag_of(BERT))
    events.wait_for(lambda: BERT in events.taps)
    assert events.taps == [ANNA, BERT]


@pytest.mark.parametrize("fault", list(Fault))
def test_after_each_fault_the_next_tap_is_read(line: PtyReader, watching: Watching, fault: Fault) -> None:
    events = watching(NfcReader(line.path))
    line.hold(tags.tag_of(ANNA))
    events.wait_for(lambda: events.taps == [ANNA])
    line.remove()
    line.fail(fault, times=3)
    events.wait_for(lambda: events.states[-2:] == ["fault", "ok"])
    line.hold(tags.tag_of(BERT))
    events.wait_for(lambda: len(events.taps) == 2)
    assert events.taps == [ANNA, BERT]
    assert not events.unreadable


def test_a_tag_that_lies_there_through_a_fault_is_no_second_tap(line: PtyReader, watching: Watching) -> None:
    events = watching(NfcReader(line.path))
    line.hold(tags.tag_of(ANNA))
    events.wait_for(lambda: events.taps == [ANNA])
    line.fail(Fault.BAD_CHECKSUM)
    events.wait_for(lambda: events.states == ["ok", "fault", "ok"])
    assert line.wait_for_reads(line.chip.reads + 5)
    assert events.taps == [ANNA]


def test_without_a_reader_at_the_start_the_first_tap_after_it_came_is_read(tmp_path: Path, watching: Watching) -> None:
    with PtyReader(tmp_path / "reader") as line:
        line.unplug()
        events = watching(NfcReader(line.path))
        events.wait_for(lambda: events.states == ["absent"])
        line.plug()
        line.hold(tags.tag_of(ANNA))
        events.wait_for(lambda: events.taps == [ANNA])
        assert events.states == ["absent", "ok"]
        line.unplug()
        events.wait_for(lambda: events.states[-1] == "absent")
        line.hold(tags.tag_of(BERT))
        line.plug()
        events.wait_for(lambda: events.taps == [ANNA, BERT])


def test_a_phone_is_told_once_and_is_no_tap(line: PtyReader, watching: Watching) -> None:
    events = watching(NfcReader(line.path))
    line.hold(tags.phone())
    events.wait_for(lambda: bool(events.unreadable))
    assert line.wait_for_reads(line.chip.reads + 5)
    assert events.unreadable == ["random"]
    assert events.taps == []


def test_a_card_in_the_case_of_a_phone_is_a_tap_without_a_complaint(line: PtyReader, watching: Watching) -> None:
    events = watching(NfcReader(line.path))
    line.hold(tags.tag_of(ANNA))
    events.wait_for(lambda: events.taps == [ANNA])
    line.hold(tags.phone())
    assert line.wait_for_reads(line.chip.reads + 3)
    line.hold(tags.tag_of(BERT))
    events.wait_for(lambda: events.taps == [ANNA, BERT])
    assert events.unreadable == []


def test_a_failing_callback_does_not_end_the_watch(line: PtyReader, watching: Watching) -> None:
    got: list[str] = []

    def fail_first(tag: str) -> None:
        got.append(tag)
        if len(got) == 1:
            raise RuntimeError("planted")

    events = watching(NfcReader(line.path), on_tag=fail_first)
    line.hold(tags.tag_of(ANNA))
    assert line.wait_for_reads(3)
    line.hold(tags.tag_of(BERT))
    assert line.wait_until(lambda: len(got) == 2)
    assert got == [ANNA, BERT]
    assert events.states == ["ok"]


def test_a_tap_over_udp_is_one_tap(field: UdpTag, watching: Watching) -> None:
    events = watching(NfcReader(field.path))
    field.hold(tags.tag_of(ANNA))
    events.wait_for(lambda: events.taps == [ANNA])
    field.hold(tags.tag_of(BERT))
    events.wait_for(lambda: len(events.taps) == 2)
    assert events.taps == [ANNA, BERT]


def test_a_clock_without_a_reader_has_none() -> None:
    assert reader_for(ReaderSettings(kind="none")) is None
    assert isinstance(reader_for(ReaderSettings(kind="pn532", path="/dev/null")), NfcReader)
