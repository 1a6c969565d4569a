"""Each line has its priority where the journal reads it, and is plain everywhere else."""

import io
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from stempelwerk_edge.machine.system_log import is_journal, with_priority


@pytest.mark.parametrize("named", ["", "0:0", "1", "nonsense", "8:1:2"])
def test_a_file_that_the_journal_does_not_read_is_not_taken_for_it(tmp_path: Path, named: str) -> None:
    with (tmp_path / "log").open("w") as stream:
        assert not is_journal(stream, {"JOURNAL_STREAM": named})
        assert not is_journal(stream, {})


def test_a_stream_without_a_file_is_not_the_journal() -> None:
    assert not is_journal(io.StringIO(), {"JOURNAL_STREAM": "1:1"})


@pytest.mark.parametrize(
    ("level", "begins"),
    [
        (logging.CRITICAL, "<2>"),
        (logging.ERROR, "<3>"),
        (logging.WARNING, "<4>"),
        (logging.INFO, "<6>"),
        (logging.DEBUG, "<7>"),
    ],
)
def test_every_line_has_the_priority_of_its_level(level: int, begins: str) -> None:
    assert with_priority("what\n  where\n", level) == f"{begins}what\n{begins}  where\n{begins}"


PROGRAM = """
import logging, sys
from stempelwerk_edge.machine.system_log import set_up_log
set_up_log(sys.stderr)
log = logging.getLogger("stempelwerk_edge")
log.debug("not said")
log.info("started")
log.warning("two\\nlines")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("failed")
"""


def said_by_a_program(stream: Path, journal: bool) -> list[str]:
    with stream.open("w") as file:
        status = os.fstat(file.fileno())
        environment = {**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}" if journal else "1:1"}
        subprocess.run([sys.executable, "-c", PROGRAM], stderr=file, env=environment, check=True)
    return stream.read_text().splitlines()


def test_a_log_that_nobody_reads_by_priority_is_plain(tmp_path: Path) -> None:
    lines = said_by_a_program(tmp_path / "log", journal=False)
    assert lines[:3] == ["INFO stempelwerk_edge: started", "WARNING stempelwerk_edge: two", "lines"]
    assert not [line for line in lines if line.startswith("<")]


def test_in_the_journal_every_line_of_a_record_has_its_priority(tmp_path: Path) -> None:
    lines = said_by_a_program(tmp_path / "log", journal=True)
    assert lines[:3] == ["<6>INFO stempelwerk_edge: started", "<4>WARNING stempelwerk_edge: two", "<4>lines"]
    assert lines[3] == "<3>ERROR stempelwerk_edge: failed"
    assert len(lines) > 5
    assert all(line.startswith("<3>") for line in lines[3:])


@pytest.mark.parametrize("journal", [True, False])
def test_a_refusal_to_start_is_an_error_in_the_journal(tmp_path: Path, journal: bool) -> None:
    with (tmp_path / "log").open("w") as file:
        status = os.fstat(file.fileno())
        environment = {**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}" if journal else ""}
        arguments = [sys.executable, "-m", "stempelwerk_edge", "run", "--config", str(tmp_path / "missing.toml")]
        assert subprocess.run(arguments, stderr=file, env=environment, check=False).returncode == 2
    assert (tmp_path / "log").read_text().startswith("<3>Die Datei" if journal else "Die Datei")
