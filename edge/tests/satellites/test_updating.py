"""A scanner gets a new image from its clock, whole or not at all, and never at the cost of a tap."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from stempelwerk_edge.satellites.updating import TRIES, Image, images_in, order
from stempelwerk_tools.simulators.scanner import ModelScanner

from edge.tests.satellites.conftest import UID, Dock


def packed(board: str, version: str, size: int = 3_000) -> bytes:
    """An image in form."""
    filler = random.Random(version).randbytes(size)
    return b"SWF1" + bytes(384) + board.encode().ljust(8, b"\0") + version.encode().ljust(12, b"\0") + filler


def offer(base: Dock, version: str = "1.1.0", board: str = "model") -> Image:
    base.images[board] = Image(board, version, packed(board, version))
    return base.images[board]


def test_of_each_board_the_newest_image_counts_and_what_is_none_is_passed_over(tmp_path: Path) -> None:
    for name, content in {
        "a": packed("rp2040", "1.9.0"),
        "b": packed("rp2040", "1.10.0"),
        "c": packed("rp2040", "1.10.0-rc.2"),
        "d": packed("esp32", "1.0.0"),
        "e": b"SWF1",
        "f": b"SWF2" + packed("rp2350", "9.0.0")[4:],
        "g": packed("rp2350", "newest"),
    }.items():
        (tmp_path / f"{name}.swf").write_bytes(content)
    (tmp_path / "h.swf").mkdir()
    assert {board: image.version for board, image in images_in(tmp_path).items()} == {
        "rp2040": "1.10.0",
        "esp32": "1.0.0",
    }
    assert images_in(tmp_path / "nowhere") == {}


def test_versions_are_compared_as_versions() -> None:
    ascending = ["", "0.9.12", "1.0.0-rc.2", "1.0.0-rc.12", "1.0.0", "1.0.1", "1.2.0", "1.10.0"]
    assert all(order(sooner) < order(later) for sooner, later in pairwise(ascending))


def test_an_image_goes_over_whole_and_the_scanner_runs_it(base: Dock, scanner: ModelScanner) -> None:
    image = offer(base)
    base.run(30)
    assert (scanner.flash.version, scanner.image) == ("1.1.0", image.content)
    [scanner_row] = base.shown
    assert (scanner_row["version"], scanner_row["update"]) == ("1.1.0", None)
    assert base.log.codes.count("scanner_updated") == 1
    scanner.tap(UID, base.now_ms())
    base.run(5)
    assert (len(base.taps()), scanner.flash.taps) == (1, {})


@pytest.mark.parametrize(("version", "board"), [("1.0.0", "model"), ("0.9.9", "model"), ("1.1.0", "rp2040")])
def test_no_older_image_is_offered_nor_one_for_another_board(
    base: Dock, scanner: ModelScanner, version: str, board: str
) -> None:
    offer(base, version, board)
    base.run(30)
    assert (scanner.flash.version, scanner.image) == ("1.0.0", b"")


def test_nothing_is_sent_while_taps_wait_on_the_scanner(base: Dock, scanner: ModelScanner) -> None:
    offer(base)
    base.disk.result = 13
    scanner.tap(UID, base.now_ms())
    base.run(60)
    assert scanner.image == b""
    [scanner_row] = base.shown
    assert scanner_row["update"] == {"version": "1.1.0", "state": "waiting"}
    base.disk.result = None
    base.run(90)
    assert (scanner.flash.version, len(base.taps())) == ("1.1.0", 1)


@pytest.mark.parametrize("seed", range(4))
def test_over_a_bad_line_it_arrives_whole_all_the_same(base: Dock, scanner: ModelScanner, seed: int) -> None:
    rng = random.Random(seed)

    def spoil(data: bytes) -> bytes:
        if data and rng.random() < 0.1:
            position = rng.randrange(len(data))
            return rng.choice((b"", data[:position] + bytes([data[position] ^ 4]) + data[position + 1 :]))
        return data

    image = offer(base)
    base.spoil = spoil
    base.run(240)
    assert (scanner.flash.version, scanner.image) == ("1.1.0", image.content)


def test_a_scanner_whose_last_answer_was_lost_does_not_get_the_same_image_again(
    base: Dock, scanner: ModelScanner
) -> None:
    offer(base)
    lost, boots = [], {scanner.boot}

    def lose_the_last(data: bytes) -> bytes:
        if scanner.flash.version == "1.1.0" and not lost:  # it has written the image, reports it, and starts again
            lost.append(data)
            return b""
        return data

    base.spoil = lose_the_last
    for _ in range(60):
        base.run(1)
        boots.add(scanner.boot)
    assert (len(lost), len(boots)) == (1, 2)
    assert [base.log.codes.count(f"scanner_{code}") for code in ("updated", "update_failed")] == [1, 0]
    assert base.shown[0]["update"] is None


def test_one_that_does_not_come_up_is_given_up_after_some_tries_and_said_once(
    base: Dock, scanner: ModelScanner
) -> None:
    offer(base)
    scanner.comes_up = False
    boots = {scanner.boot}
    for _ in range(200):
        base.run(2)
        boots.add(scanner.boot)
    assert (len(boots), scanner.flash.version) == (1 + TRIES, "1.0.0")
    assert base.log.codes.count("scanner_update_failed") == 1
    assert base.shown[0]["update"] == {"version": "1.1.0", "state": "failed"}
    offer(base, "1.1.1")
    scanner.comes_up = True
    base.run(60)
    assert scanner.flash.version == "1.1.1"


def test_a_scanner_that_takes_no_image_of_this_maker_is_left_alone(base: Dock, scanner: ModelScanner) -> None:
    offer(base)
    scanner.refuses = 1
    base.run(60)
    [failure_message] = [message for _, code, message, _ in base.log.entries if code == "scanner_update_failed"]
    assert "signature" in failure_message


def test_one_that_is_taken_out_in_the_middle_keeps_nobody_waiting_and_goes_on_later(
    base: Dock, scanner: ModelScanner
) -> None:
    image = offer(base)
    while len(scanner.image) < 1_500:
        base.run(0.5)
    assert len(scanner.image) < len(image.content)
    base.adopting = True
    second_scanner = ModelScanner("SW-BEACON-000043", random.Random(9))
    second_scanner.power_on(base.now_ms())
    base.dock(second_scanner)
    base.run(30)
    assert second_scanner.flash.version == "1.1.0"
    old_image = scanner.image
    base.dock(scanner)
    base.run(30)
    assert scanner.flash.version == "1.1.0"
    assert scanner.image.startswith(old_image)


def test_one_that_leaves_a_uart_in_the_middle_again_and_again_has_refused_nothing(
    base: Dock, scanner: ModelScanner
) -> None:
    image = offer(base)
    for part in range(1, TRIES + 2):
        for _ in range(100):
            if len(scanner.image) < 600 * part:
                base.run(0.5)
        for _ in range(100):  # the line stays silent
            base.base.offer(base.line)
            base.clock.advance(seconds=1)
        scanner.dock()
    base.run(60)
    assert (scanner.flash.version, scanner.image) == ("1.1.0", image.content)
    assert "scanner_update_failed" not in base.log.codes


def test_one_that_is_forgotten_in_the_middle_keeps_nobody_waiting(base: Dock, scanner: ModelScanner) -> None:
    offer(base)
    while not scanner.image:
        base.run(0.5)
    assert base.base.forget(scanner.serial)
    base.run(10)
    assert (scanner.flash.key, scanner.flash.version) == (None, "1.0.0")
    base.adopting, stays = True, base.line
    base.line = base.base.line()
    second_scanner = base.scanner = ModelScanner("SW-BEACON-000043", random.Random(9))
    second_scanner.power_on(base.now_ms())
    base.run(30)
    assert stays is not base.line  # the first one lies there still
    assert second_scanner.flash.version == "1.1.0"


def test_one_that_never_answers_is_given_up(base: Dock, scanner: ModelScanner) -> None:
    offer(base)
    scanner._updated = lambda *_: b""  # type: ignore[method-assign]  # an older program passes over what it does not know
    base.run(400)
    assert base.log.codes.count("scanner_update_failed") == 1
