"""Scanners at serial lines of the kernel: the model, and the real firmware in the real interpreter."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_edge.satellites.lines import Lines
from stempelwerk_tools.simulators.scanner import ModelScanner
from stempelwerk_tools.simulators.scanner_line import FirmwareScanner, ScannerLine

from edge.tests.clockwork import TAG
from edge.tests.satellites.conftest import UID, Dock

PATIENCE_S = 60


def until(what: Callable[[], Any]) -> None:
    """Wait for what the lines' thread does."""
    waited, pause = time.monotonic(), threading.Event()
    while not what():
        assert time.monotonic() - waited < PATIENCE_S
        pause.wait(0.02)


@pytest.fixture
def sockets(base: Dock, memory: Path) -> Iterator[Path]:
    """The folder whose `scanner*` are the base's sockets, of a clock whose time goes on."""
    base.clock.follow(time.monotonic)
    lines = Lines(base.base, [str(memory / "scanner*")], str(memory / "reader"))
    lines.start()
    yield memory
    lines.stop()


def model(serial: str, seed: int) -> ModelScanner:
    scanner = ModelScanner(serial, random.Random(seed))
    scanner.power_on(time.monotonic_ns() // 1_000_000)
    return scanner


def connected(base: Dock) -> set[str]:
    return {told["serial"] for told in base.base.told() if told["connected"]}


def test_scanners_come_and_go_and_a_line_that_is_none_stops_nobody(base: Dock, sockets: Path) -> None:
    (sockets / "scanner0").write_text("no line")
    one, two = model("S-1", 1), model("S-2", 2)
    with ScannerLine(one, sockets / "scanner1") as first, ScannerLine(two, sockets / "scanner2"):
        until(lambda: connected(base) == {"S-1", "S-2"})
        first.unplug()
        until(lambda: connected(base) == {"S-2"})
        for scanner in (one, two):
            assert scanner.tap(UID, time.monotonic_ns() // 1_000_000)
        until(lambda: len(base.taps()) == 1)
        first.plug()
        until(lambda: len(base.taps()) == 2)
        until(lambda: not one.flash.taps)


def test_the_readers_line_is_left_alone(base: Dock, memory: Path) -> None:
    with ScannerLine(model("S-1", 1), memory / "reader") as line:
        (memory / "scanner1").symlink_to(line.link)
        lines = Lines(base.base, [str(memory / "scanner*")], str(memory / "reader"))
        assert lines._found() == []
        lines.stop()


# ---- the real firmware


@pytest.fixture
def firmware(tmp_path: Path) -> Iterator[Callable[..., FirmwareScanner]]:
    made: list[FirmwareScanner] = []

    def start(name: str = "flash", **options: Any) -> FirmwareScanner:
        made.append(FirmwareScanner(tmp_path / name, **options))
        return made[-1]

    yield start
    for scanner in made:
        scanner.close()


def test_the_real_firmware_brings_every_tap_once_through_a_bad_line_and_two_reboots(
    base: Dock, sockets: Path, firmware: Callable[..., FirmwareScanner]
) -> None:
    scanner, rng = firmware(capacity=12), random.Random(5)
    recorded: list[bytes] = []
    made: list[str] = []

    def tap(expected: str = "stored") -> None:
        tag = f"04{rng.getrandbits(48):012X}"
        assert scanner.control("tap", tag)["signal"] == expected
        if expected == "stored":
            made.append(tag)

    def spoil(data: bytes) -> bytes:
        recorded.append(data)
        luck = rng.random()
        if data and luck < 0.1:
            return b""
        if data and luck < 0.2:
            at = rng.randrange(len(data))
            return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]
        return rng.choice(recorded) + data if luck < 0.3 else data

    def all_there() -> bool:
        return [tag for *_, tag in base.taps()] == made and scanner.control("state")["used"] == 0

    with ScannerLine(scanner, sockets / "scanner1") as line:
        until(lambda: connected(base))
        tap()
        until(all_there)
        line.spoil = spoil
        for _ in range(2):
            tap()
            tap()
            scanner.control("reboot")
        line.spoil = lambda data: data
        until(all_there)
        line.unplug()  # out and about, until its log is full
        for _ in range(12):
            tap()
        tap("full")
        line.plug()
        until(all_there)
        scanner.control("wipe")
        tap()
        until(all_there)
    [told] = base.base.told()
    assert told["serial"] == "SW-SIM-00000001"
    assert len(set(base.taps())) == len(made)
    assert {draft.via for draft in base.stamps()} == {"scanner:SW-SIM-00000001"}


def test_another_scanner_takes_the_place_of_one_that_is_lost(
    base: Dock, sockets: Path, firmware: Callable[..., FirmwareScanner]
) -> None:
    first = firmware("one")
    with ScannerLine(first, sockets / "scanner1"):
        until(lambda: connected(base))
        first.control("tap", TAG)
        until(lambda: len(base.taps()) == 1)
    other = firmware("two", serial="SW-SIM-00000002")
    with ScannerLine(other, sockets / "scanner1"):
        until(lambda: connected(base) == {"SW-SIM-00000002"})
        other.control("tap", TAG)
        until(lambda: len(base.taps()) == 2)
