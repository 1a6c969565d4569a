"""Scanners at serial lines of the kernel: the model, and the real firmware in the real interpreter."""

import os
import pty
import random
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from stempelwerk_edge.satellites import updating
from stempelwerk_edge.satellites.frames import Kind, Session, pack
from stempelwerk_edge.satellites.lines import Lines
from stempelwerk_edge.satellites.updating import Image
from stempelwerk_tools.firmware import build
from stempelwerk_tools.simulators.scanner import ModelScanner
from stempelwerk_tools.simulators.scanner_line import FirmwareScanner, ScannerLine

from edge.tests.clockwork import TAG
from edge.tests.satellites.conftest import UID, Dock

PATIENCE_S = 60


def wait_until(condition: Callable[[], Any], within_s: float = PATIENCE_S) -> None:
    """Wait for what the lines' thread does."""
    waited, pause = time.monotonic(), threading.Event()
    while not condition():
        assert time.monotonic() - waited < within_s
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
    return {report["serial"] for report in base.base.for_heartbeat() if report["connected"]}


def test_scanners_come_and_go_and_a_line_that_is_none_stops_nobody(base: Dock, sockets: Path) -> None:
    (sockets / "scanner0").write_text("no line")
    one, two = model("S-1", 1), model("S-2", 2)
    with ScannerLine(one, sockets / "scanner1") as first, ScannerLine(two, sockets / "scanner2"):
        wait_until(lambda: connected(base) == {"S-1", "S-2"})
        first.unplug()
        wait_until(lambda: connected(base) == {"S-2"})
        for scanner in (one, two):
            assert scanner.tap(UID, time.monotonic_ns() // 1_000_000)
        wait_until(lambda: len(base.taps()) == 1)
        first.plug()
        wait_until(lambda: len(base.taps()) == 2)
        wait_until(lambda: not one.flash.taps)


def flooded(name: Path) -> tuple[int, subprocess.Popen[bytes]]:
    """Opens a line whose peer greets without end and never listens."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    name.symlink_to(os.ttyname(slave))
    greeting = b""
    for number in range(100):
        session = Session(scanner_nonce=number.to_bytes(8, "big"))
        members = {"proto": 1, "serial": name.name, "board": "", "version": "", "boot": str(UUID(int=7))}
        frame = pack(Kind.HELLO, nonce=session.scanner_nonce, first=1, next=1, adopted=0, overflow=0, **members)
        greeting += session.seal(b"S", frame)
    script = "import os, sys\ndata = sys.stdin.buffer.read()\nwhile True: os.write(1, data)"
    process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=master)
    assert process.stdin is not None
    process.stdin.write(greeting)
    process.stdin.close()
    return master, process


def test_eleven_that_greet_without_end_and_never_listen_hold_up_nobody(base: Dock, sockets: Path) -> None:
    floods = [flooded(sockets / f"scanner-{number}") for number in range(11)]
    try:
        scanner = model("S-1", 1)
        with ScannerLine(scanner, sockets / "scanner1"):
            wait_until(lambda: connected(base) == {"S-1"}, 15)
            assert scanner.tap(UID, time.monotonic_ns() // 1_000_000)
            wait_until(lambda: not scanner.flash.taps, 15)
            assert base.tapper.on_tag(TAG) is not None
    finally:
        for master, process in floods:
            process.kill()
            process.wait()
            os.close(master)


def test_what_fails_over_one_line_is_that_lines_alone(base: Dock, sockets: Path) -> None:
    bad, good = model("BAD", 1), model("S-1", 2)
    original_status = base.base._status

    def fails(line: Any, talk: Any, status: Any) -> bytes:
        if talk.serial == "BAD":
            raise TypeError("a mistake")
        return original_status(line, talk, status)

    base.base._status = fails  # type: ignore[method-assign]
    with ScannerLine(bad, sockets / "scanner0"), ScannerLine(good, sockets / "scanner1"):
        wait_until(lambda: connected(base) == {"S-1"})
        for _ in range(5):
            assert good.tap(UID, time.monotonic_ns() // 1_000_000)
            wait_until(lambda: not good.flash.taps, 3)


def test_the_readers_line_is_left_alone(base: Dock, memory: Path) -> None:
    with ScannerLine(model("S-1", 1), memory / "reader") as line:
        (memory / "scanner1").symlink_to(line.link)
        lines = Lines(base.base, [str(memory / "scanner*")], str(memory / "reader"))
        assert lines._find_new_paths() == []
        lines.stop()


# ---- the real firmware


@pytest.fixture
def firmware(tmp_path: Path) -> Iterator[Callable[..., FirmwareScanner]]:
    scanners: list[FirmwareScanner] = []

    def start(name: str = "flash", **options: Any) -> FirmwareScanner:
        scanners.append(FirmwareScanner(tmp_path / name, **options))
        return scanners[-1]

    yield start
    for scanner in scanners:
        scanner.close()


def test_the_real_firmware_brings_every_tap_once_through_a_bad_line_and_two_reboots(
    base: Dock, sockets: Path, firmware: Callable[..., FirmwareScanner]
) -> None:
    scanner, rng = firmware(capacity=12), random.Random(5)
    recorded: list[bytes] = []
    made_taps: list[str] = []

    def tap(expected: str = "stored") -> None:
        tag = f"04{rng.getrandbits(48):012X}"
        assert scanner.control("tap", tag)["signal"] == expected
        if expected == "stored":
            made_taps.append(tag)

    def spoil(data: bytes) -> bytes:
        recorded.append(data)
        luck = rng.random()
        if data and luck < 0.1:
            return b""
        if data and luck < 0.2:
            position = rng.randrange(len(data))
            return data[:position] + bytes([data[position] ^ 0x10]) + data[position + 1 :]
        return rng.choice(recorded) + data if luck < 0.3 else data

    def all_there() -> bool:
        return [tag for *_, tag in base.taps()] == made_taps and scanner.control("state")["used"] == 0

    with ScannerLine(scanner, sockets / "scanner1") as line:
        wait_until(lambda: connected(base))
        tap()
        wait_until(all_there)
        line.spoil = spoil
        for _ in range(2):
            tap()
            tap()
            scanner.control("reboot")
        line.spoil = lambda data: data
        wait_until(all_there)
        line.unplug()  # out and about, until its log is full
        for _ in range(12):
            tap()
        tap("full")
        line.plug()
        wait_until(all_there)
        scanner.control("wipe")
        tap()
        wait_until(all_there)
    [report] = base.base.for_heartbeat()
    assert report["serial"] == "SW-SIM-00000001"
    assert len(set(base.taps())) == len(made_taps)
    assert {draft.via for draft in base.stamps()} == {"scanner:SW-SIM-00000001"}


def test_the_real_firmware_whose_flash_lost_its_end_brings_every_later_tap_once(
    base: Dock, sockets: Path, firmware: Callable[..., FirmwareScanner], tmp_path: Path
) -> None:
    scanner, made_taps = firmware(), []

    def tap() -> None:
        made_taps.append(f"04{len(made_taps):012X}")
        assert scanner.control("tap", made_taps[-1])["signal"] == "stored"

    def all_there() -> bool:
        return sorted(tag for *_, tag in base.taps()) == made_taps and scanner.control("state")["used"] == 0

    with ScannerLine(scanner, sockets / "scanner1") as line:
        wait_until(lambda: connected(base))
        for lost in (1, 39, 40, 41, 80, 120):
            for _ in range(3):
                tap()
            wait_until(all_there)
            line.unplug()
            scanner.control("off")
            [file] = sorted((tmp_path / "flash" / "taps").glob("*-*"))
            content = file.read_bytes()
            file.write_bytes(content[:-lost])
            scanner.control("on")
            tap()
            scanner.control("reboot")  # and once more before it sees its clock
            tap()
            line.plug()
            wait_until(all_there)
    assert len(set(base.taps())) == len(made_taps) == 30
    assert "scanner_tap_lost" not in base.log.codes


def test_another_scanner_takes_the_place_of_one_that_is_lost(
    base: Dock, sockets: Path, firmware: Callable[..., FirmwareScanner]
) -> None:
    first = firmware("one")
    with ScannerLine(first, sockets / "scanner1"):
        wait_until(lambda: connected(base))
        first.control("tap", TAG)
        wait_until(lambda: len(base.taps()) == 1)
    second_scanner = firmware("two", serial="SW-SIM-00000002")
    with ScannerLine(second_scanner, sockets / "scanner1"):
        wait_until(lambda: connected(base) == {"SW-SIM-00000002"})
        second_scanner.control("tap", TAG)
        wait_until(lambda: len(base.taps()) == 2)


# ---- its updates


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The maker's private key, and its modulus in hexadecimal digits."""
    key = rsa.generate_private_key(65537, build.KEY_BITS)
    path = tmp_path_factory.mktemp("maker") / "maker.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path, f"{key.public_key().public_numbers().n:x}"


def image(maker: Path, version: str, **files: bytes) -> Image:
    """The firmware as it is, under another version, with some of its modules replaced, for the simulated board."""
    with pytest.MonkeyPatch.context() as patch:
        image_files = {f"scanner/{name}.mpy": content for name, content in files.items()}
        version_file = {"scanner/version.py": f'VERSION = "{version}"\n'.encode()}
        modules = {name: content for name, content in build.compile_modules().items() if name != "scanner/version.mpy"}
        patch.setattr(build, "compile_modules", lambda: {**modules, **version_file, **image_files})
        patch.setattr(build, "version", lambda: version)
        return Image("rp2040", version, build.image("rp2040", maker))


def test_the_real_firmware_takes_a_new_image_in_its_base_and_goes_back_from_one_that_does_not_come_up(
    base: Dock,
    sockets: Path,
    firmware: Callable[..., FirmwareScanner],
    maker: tuple[Path, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(updating, "TRIES", 1)  # how often it is tried is shown with the model
    key, modulus = maker
    scanner = firmware(maker=modulus)

    def runs() -> str:
        return base.shown[0]["version"] if base.shown else ""

    with ScannerLine(scanner, sockets / "scanner1"):
        wait_until(lambda: connected(base))
        first = runs()
        base.images["rp2040"] = image(key, "2.0.0")
        wait_until(lambda: runs() == "2.0.0")
        assert "scanner_updated" in base.log.codes
        base.images["rp2040"] = image(key, "2.1.0", app=b"not for any interpreter")
        wait_until(lambda: "scanner_update_failed" in base.log.codes, 3 * PATIENCE_S)
        wait_until(lambda: runs() == "2.0.0")
        assert first != "2.0.0"
        wait_until(lambda: base.shown[0]["update"] == {"version": "2.1.0", "state": "failed"})
        scanner.control("tap", TAG)
        wait_until(lambda: len(base.taps()) == 1)


def test_the_real_firmware_is_forgotten_once_its_log_is_empty_and_adopted_anew(
    base: Dock, sockets: Path, firmware: Callable[..., FirmwareScanner]
) -> None:
    scanner = firmware()
    with ScannerLine(scanner, sockets / "scanner1") as line:
        wait_until(lambda: connected(base))
        scanner.control("tap", TAG)
        assert base.base.forget("SW-SIM-00000001")
        wait_until(lambda: not scanner.control("state")["adopted"])
        assert len(base.taps()) == 1
        line.unplug()
        line.plug()
        wait_until(lambda: scanner.control("state")["adopted"])
        assert scanner.control("tap", "04C0FFEE000001")["signal"] == "stored"
        wait_until(lambda: len(base.taps()) == 2)
    assert len({stamp.id for stamp in base.stamps()}) == 2
