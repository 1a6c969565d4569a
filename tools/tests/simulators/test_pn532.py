"""The simulated chip follows its manual wherever a driver could notice."""

import pytest
from stempelwerk_tools.simulators import tags
from stempelwerk_tools.simulators.pn532 import ACK, Pn532, frame

WAKE = bytes(10)
POLL_A = frame(bytes([0xD4, 0x4A, 1, 0]))


def awake(tag: tags.Tag | None = None) -> Pn532:
    chip = Pn532(tag=tag)
    assert chip.receive(WAKE + frame(b"\xd4\x02")) == [(ACK, bytes.fromhex("0000ff06fad50332010607e800"))]
    return chip


def test_a_sleeping_chip_hears_nothing_without_a_long_preamble() -> None:
    chip = Pn532()
    assert chip.receive(frame(b"\xd4\x02")) == []
    assert chip.receive(WAKE + frame(b"\xd4\x02")) != []


@pytest.mark.parametrize("position", range(3, 10))
def test_a_frame_with_a_wrong_byte_is_ignored_and_the_next_one_heard(position: int) -> None:
    chip = awake(tags.tag_of("A1B2C3D4"))
    broken = bytearray(POLL_A)
    broken[position] ^= 0x40
    chip.receive(bytes(broken))
    answers = chip.receive(bytes(300) + POLL_A)
    assert answers[-1][1].hex().upper().count("A1B2C3D4") == 1


def test_a_frame_may_arrive_byte_by_byte() -> None:
    chip = awake(tags.tag_of("A1B2C3D4"))
    answers = [answer for byte in POLL_A for answer in chip.receive(bytes([byte]))]
    assert len(answers) == 1


def test_the_longest_line_test_comes_back_in_an_extended_frame() -> None:
    chip = awake()
    test = b"\x00" + bytes(range(256)) + bytes(6)
    ((acknowledged, response),) = chip.receive(frame(b"\xd4\x00" + test))
    assert acknowledged == ACK
    assert response == frame(b"\xd5\x01" + test)
    assert response[3:5] == b"\xff\xff"


def test_a_chip_fresh_from_power_waits_for_a_tag_without_end() -> None:
    chip = awake()
    assert chip.receive(POLL_A) == [(ACK,)]
    assert chip.look_again() is None
    chip.tag = tags.tag_of("A1B2C3D4")
    late = chip.look_again()
    assert late is not None
    assert bytes.fromhex("A1B2C3D4") in late
    assert chip.look_again() is None


def test_the_hosts_acknowledgement_aborts_a_poll() -> None:
    chip = awake()
    chip.receive(POLL_A)
    chip.receive(ACK)
    chip.tag = tags.tag_of("A1B2C3D4")
    assert chip.look_again() is None


def test_the_ats_is_fetched_unless_the_host_said_not_to() -> None:
    tag = tags.desfire(bytes.fromhex("04A224B1C2D381"))
    chip = awake(tag)
    assert tag.ats in chip.receive(POLL_A)[0][1]
    chip.receive(frame(b"\xd4\x12\x00"))
    response = chip.receive(POLL_A)[0][1]
    assert tag.ats not in response
    assert tag.uid in response


def test_a_new_speed_counts_from_the_hosts_acknowledgement() -> None:
    chip = awake()
    chip.receive(frame(b"\xd4\x10\x07"))
    assert chip.speaks(115200)
    chip.receive(ACK)
    assert not chip.speaks(115200)
    assert chip.speaks(921600)


def test_an_unknown_command_is_answered_with_the_error_frame() -> None:
    chip = awake()
    assert chip.receive(frame(b"\xd4\x40\x01\x30")) == [(ACK, bytes.fromhex("0000ff01ff7f8100"))]


def test_a_number_of_another_length_is_no_tag() -> None:
    for number in ("", "04", "04A224B1C2", "04A224B1C2D3", "zz"):
        with pytest.raises(ValueError, match=r"bytes|hexadecimal"):
            tags.tag_of(number)
