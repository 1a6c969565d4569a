"""The reader under nfcpy's own, unmodified driver, against a chip on a pseudo terminal and a tag over UDP."""

import contextlib
import os
import pty
from pathlib import Path
from typing import Any

import pytest
import serial
from stempelwerk_edge.errors import ReaderAbsent, ReaderFault, TagUnreadable
from stempelwerk_edge.readers.nfc import NfcReader
from stempelwerk_tools.simulators import tags
from stempelwerk_tools.simulators.pty_reader import Fault, PtyReader
from stempelwerk_tools.simulators.udp_tag import UdpTag

NUMBERS = ["A1B2C3D4", "04A224B1C2D380", "08A224B1C2D380", "04112233445566778899", "00000000"]
SENSING = {0x00, 0x02, 0x06, 0x08, 0x10, 0x12, 0x14, 0x16, 0x32, 0x4A}


def test_what_is_no_tag_of_anybody_is_refused_with_its_reason(line: PtyReader, reader: NfcReader) -> None:
    for tag, reason in (
        (tags.phone(), "random"),
        (tags.TypeF(bytes.fromhex("0102030405060708")), "length"),
        (tags.mifare_classic(bytes.fromhex("88A1B2C3")), "cascade"),
    ):
        line.hold(tag)
        with pytest.raises(TagUnreadable) as refused:
            reader.poll()
        assert str(refused.value) == reason


@pytest.mark.parametrize("number", NUMBERS)
def test_an_identifier_is_read_whole_on_the_serial_line(line: PtyReader, reader: NfcReader, number: str) -> None:
    assert reader.poll() is None
    line.hold(tags.tag_of(number))
    assert reader.poll() == number
    line.remove()
    assert reader.poll() is None


@pytest.mark.parametrize("number", NUMBERS)
def test_an_identifier_is_read_whole_over_udp(field: UdpTag, number: str) -> None:
    reader = NfcReader(field.path)
    reader.open()
    field.hold(tags.tag_of(number))
    try:
        assert reader.poll() == number
    finally:
        reader.close()


def test_udp_refuses_a_phone_and_sees_an_empty_field(field: UdpTag) -> None:
    reader = NfcReader(field.path)
    reader.open()
    try:
        assert reader.poll() is None
        field.hold(tags.phone())
        with pytest.raises(TagUnreadable, match="random"):
            reader.poll()
    finally:
        reader.close()


def test_tags_are_sensed_and_never_activated(line: PtyReader, reader: NfcReader) -> None:
    for number in NUMBERS:
        line.hold(tags.tag_of(number))
        reader.poll()
    line.hold(tags.desfire(bytes.fromhex("04A224B1C2D381")))
    reader.poll()
    reader.close()
    assert set(line.chip.commands) <= SENSING


def test_the_ats_never_becomes_part_of_the_identifier(line: PtyReader, reader: NfcReader) -> None:
    line.hold(tags.desfire(bytes.fromhex("04A224B1C2D381")))
    assert reader.poll() == "04A224B1C2D381"


def test_a_chip_that_lost_power_under_a_tag_does_not_invent_an_identifier(line: PtyReader, reader: NfcReader) -> None:
    # A real port that cannot do more than 115200 baud notices nothing of the dip, so the speed is put back here.
    tag = tags.TypeA(bytes.fromhex("A1B2C3D4"), 0x0004, 0x20, bytes.fromhex("067577810280"))
    line.hold(tag)
    assert reader.poll() == "A1B2C3D4"
    fast = line.chip.baud
    line.power_cycle()
    line.chip.baud, line.chip._asleep = fast, False
    assert reader.poll() == "A1B2C3D4"


def test_a_missing_line_is_absent_and_not_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ReaderAbsent):
        NfcReader(str(tmp_path / "reader")).open()


def test_a_path_for_which_nfcpy_only_returns_false_is_absent() -> None:
    with pytest.raises(ReaderAbsent):
        NfcReader("tty:NOSUCHPORT:pn532").open()


def test_a_line_without_a_chip_is_a_fault() -> None:
    master, slave = pty.openpty()
    try:
        with pytest.raises(ReaderFault) as fault:
            NfcReader(os.ttyname(slave)).open()
        assert not isinstance(fault.value, ReaderAbsent)
    finally:
        os.close(slave)
        os.close(master)


def test_polling_a_reader_that_is_not_open_is_a_fault(line: PtyReader) -> None:
    with pytest.raises(ReaderFault):
        NfcReader(line.path).poll()


@pytest.mark.parametrize("fault", list(Fault))
def test_every_fault_on_the_line_is_reported_and_survived(line: PtyReader, reader: NfcReader, fault: Fault) -> None:
    line.hold(tags.tag_of("A1B2C3D4"))
    line.fail(fault)
    with pytest.raises(ReaderFault):
        reader.poll()
    reader.open()
    assert reader.poll() == "A1B2C3D4"


@pytest.mark.parametrize("fault", list(Fault))
def test_a_line_that_stays_faulty_cannot_be_opened_until_it_recovers(line: PtyReader, fault: Fault) -> None:
    reader = NfcReader(line.path)
    line.fail(fault, times=None)
    with pytest.raises(ReaderFault):
        reader.open()
    line.recover()
    reader.open()
    assert reader.poll() is None
    reader.close()


def test_an_unplugged_reader_is_a_fault_then_absent_and_works_when_it_is_back(tmp_path: Path) -> None:
    with PtyReader(tmp_path / "reader") as line:
        reader = NfcReader(line.path)
        reader.open()
        line.unplug()
        with pytest.raises(ReaderFault):
            reader.poll()
        with pytest.raises(ReaderAbsent):
            reader.open()
        line.plug()
        line.hold(tags.tag_of("A1B2C3D4"))
        reader.open()
        assert reader.poll() == "A1B2C3D4"
        reader.close()


def test_a_reader_that_a_killed_agent_left_at_high_speed_is_found(line: PtyReader) -> None:
    killed = NfcReader(line.path)
    killed.open()
    assert line.chip.baud > 115200
    killed._line.tty.close()  # what the kernel does for a killed process: no farewell to the chip
    reader = NfcReader(line.path)
    line.hold(tags.tag_of("A1B2C3D4"))
    reader.open()
    assert reader.poll() == "A1B2C3D4"
    reader.close()


@pytest.mark.parametrize(("path", "seconds"), [("/dev/ttyUSB99", 1.5), ("/dev/ttyAMA99", 0.5)])
def test_an_adapter_on_usb_is_given_the_time_that_it_takes(
    monkeypatch: pytest.MonkeyPatch, path: str, seconds: float
) -> None:
    waited = set()

    def opened(_path: str, _baud: int, **how: Any) -> contextlib.AbstractContextManager[None]:
        if "exclusive" in how:
            return contextlib.nullcontext()
        waited.add(how["timeout"])
        raise OSError

    monkeypatch.setattr(serial, "Serial", opened)
    with pytest.raises(ReaderFault):
        NfcReader(path).open()
    assert seconds in waited
    assert max(waited) == seconds


def test_a_second_program_is_refused_and_does_not_disturb_the_first(line: PtyReader, reader: NfcReader) -> None:
    with pytest.raises(ReaderFault):
        NfcReader(line.path).open()
    line.hold(tags.tag_of("A1B2C3D4"))
    assert reader.poll() == "A1B2C3D4"


def test_an_answer_that_comes_late_is_no_fault(line: PtyReader) -> None:
    reader = NfcReader(line.path)
    line.hold_up(0.3)
    reader.open()
    line.hold(tags.tag_of("A1B2C3D4"))
    line.hold_up(0.3)
    assert reader.poll() == "A1B2C3D4"
    reader.close()


def test_no_line_stays_open_after_a_failure(line: PtyReader) -> None:
    reader = NfcReader(line.path)
    open_files = len(list(Path("/proc/self/fd").iterdir()))
    for fault in Fault:
        line.fail(fault, times=None)
        with pytest.raises(ReaderFault):
            reader.open()
        line.recover()
        reader.open()
        line.fail(fault, times=None)
        with pytest.raises(ReaderFault):
            reader.poll()
        line.recover()
    assert len(list(Path("/proc/self/fd").iterdir())) == open_files
