"""Files are rebuilt with the unit's filters, too."""

import shlex
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook
from stempelwerk_cloud.kit.files import checking, sheets
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool

from cloud.tests.kit import confined
from cloud.tests.planning.plain_files import jpeg, pdf, webp

CONFINED = [sys.executable, confined.__file__]


@pytest.mark.parametrize(
    ("program", "refused"),
    [
        ("import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)", True),
        ("import os; os.nice(1)", True),
        ("import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE)", False),
    ],
)
def test_the_filter_refuses_what_the_units_does(program: str, *, refused: bool) -> None:
    done = subprocess.run([*CONFINED, "-c", program], check=False, capture_output=True, text=True)
    assert ("PermissionError" in done.stderr) is refused, done.stderr
    assert (done.returncode != 0) is refused


@pytest.fixture
def behind_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.join(CONFINED)} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))


@pytest.mark.usefixtures("behind_it")
def test_a_file_of_each_kind_is_rebuilt_with_the_filter() -> None:
    for content, media_type in ((pdf(20), "application/pdf"), (jpeg(), "image/jpeg"), (webp(), "image/webp")):
        assert checking.checked(SubprocessPool(), content).media_type == media_type


@pytest.mark.usefixtures("behind_it")
def test_a_workbook_is_read_behind_it(tmp_path: Path) -> None:
    book = Workbook()
    book.worksheets[0].append(["Name", date(2026, 3, 1), 38.5])
    book.save(tmp_path / "book.xlsx")
    with (tmp_path / "place").open("w+b") as place:
        (sheet,) = sheets.read(SubprocessPool(), (tmp_path / "book.xlsx").read_bytes(), place)
    assert sheet == ("Sheet", False, [(1, ["Name", "2026-03-01", "38.5"], {1, 2})])


@pytest.mark.usefixtures("behind_it")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252", "mac-roman", "cp850"])
def test_a_text_is_read_behind_it(tmp_path: Path, encoding: str) -> None:
    with (tmp_path / "place").open("w+b") as place:
        (sheet,) = sheets.read(SubprocessPool(), "Name;Müller\n".encode(encoding), place)
    assert sheet == ("", False, [(1, ["Name", "Müller"], frozenset())])
