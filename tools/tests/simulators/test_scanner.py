"""`stempelwerk scanner` at a simulated serial line: it reads, and changes nothing."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import serial
from stempelwerk_edge.machine.instance import sole_instance
from stempelwerk_tools.scanner import main
from stempelwerk_tools.simulators.scanner import ModelScanner
from stempelwerk_tools.simulators.scanner_line import ScannerLine, a_scanner

UID = bytes.fromhex("04A1B2C3D4E5F6")


@pytest.fixture
def scanner(tmp_path: Path) -> Iterator[ModelScanner]:
    new_scanner = a_scanner("SW-BEACON-000042")
    with ScannerLine(new_scanner, tmp_path / "line"):
        yield new_scanner


def run(tmp_path: Path, *words: str) -> int:
    return main([*words, "--port", str(tmp_path / "line")])


def test_a_line_without_a_scanner_is_said_to_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "state") == 1
    assert (
        capsys.readouterr().err == f"{tmp_path}/line gibt es nicht: Steckt der Scanner in der Basis, und ist sie an?\n"
    )
    (tmp_path / "line").touch()
    assert run(tmp_path, "state") == 1
    assert "nicht als serielle Leitung" in capsys.readouterr().err


def test_a_line_that_the_clock_has_is_said_to_be_the_clocks(
    tmp_path: Path, scanner: ModelScanner, capsys: pytest.CaptureFixture[str]
) -> None:
    with serial.Serial(str(tmp_path / "line"), exclusive=True):
        assert run(tmp_path, "state") == 1
    assert "etwa die Uhr" in capsys.readouterr().err


def test_a_scanner_is_shown_adopted_and_its_log_read_without_taking_anything(
    tmp_path: Path, scanner: ModelScanner, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = ("--data-dir", str(tmp_path / "clock"))
    assert run(tmp_path, "state") == 0
    output = capsys.readouterr().out
    assert "SW-BEACON-000042 (model, 1.0.0)" in output
    assert "niemandem" in output
    scanner.dock()
    assert run(tmp_path, "adopt", *clock) == 0
    assert scanner.flash.name == "Scanner"
    scanner.tap(UID, 10**15)
    scanner.dock()
    assert run(tmp_path, "log", *clock) == 0
    assert UID.hex().upper() in capsys.readouterr().out
    assert len(scanner.flash.taps) == 1
    scanner.dock()
    assert run(tmp_path, "adopt", *clock) == 0
    assert "schon" in capsys.readouterr().out


@pytest.mark.proof("programs")
def test_another_clocks_scanner_is_not_described(
    tmp_path: Path, scanner: ModelScanner, capsys: pytest.CaptureFixture[str]
) -> None:
    scanner.flash.key = random.Random(1).randbytes(32)
    assert run(tmp_path, "state") == 1
    assert "Schlüssel" in capsys.readouterr().err


def test_a_clock_that_runs_adopts_by_itself(
    tmp_path: Path, scanner: ModelScanner, capsys: pytest.CaptureFixture[str]
) -> None:
    with sole_instance(tmp_path / "clock"):
        assert run(tmp_path, "adopt", "--data-dir", str(tmp_path / "clock")) == 1
    assert "stempelwerk-edge adopt" in capsys.readouterr().err
    assert scanner.flash.key is None


def test_a_key_that_was_written_down_is_the_one_that_is_given(tmp_path: Path, scanner: ModelScanner) -> None:
    clock = ("--data-dir", str(tmp_path / "clock"))
    assert run(tmp_path, "adopt", *clock) == 0
    with closing(sqlite3.connect(tmp_path / "clock/journal/journal.db")) as database:
        [(key,)] = database.execute("SELECT key FROM scanners")
    assert scanner.flash.key == key
