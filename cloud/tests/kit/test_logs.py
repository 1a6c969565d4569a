"""The log in systemd's journal: only there each line begins with its priority; a full disk is one line."""

import errno
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from psycopg.errors import DiskFull
from sqlalchemy import create_engine, text
from stempelwerk_cloud.kit.operations import logs

from cloud.tests.forked import Forked, run_command
from cloud.tests.kit.services import PATIENCE_S

SAYS = """
import logging, structlog
from stempelwerk_cloud.kit.operations import logs
logs.configure()
structlog.get_logger("a").info("one")
logging.getLogger("b").warning("two")
try:
    raise LookupError("three")
except LookupError:
    structlog.get_logger("a").exception("three")
"""
"""A program that logs at three levels, in three lines."""


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    stream, previous_config, root = io.StringIO(), structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure(stream=stream, priorities=True)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**previous_config)


def test_each_line_begins_with_its_priority_and_is_one_line(log_stream: io.StringIO) -> None:
    log = structlog.get_logger("a")
    log.critical("a")
    log.error("b")
    log.warning("c")
    log.info("d")
    logging.getLogger("elsewhere").error("e")
    logging.getLogger("elsewhere").info("f")
    try:
        raise LookupError("many\nlines")
    except LookupError:
        log.exception("g")
        logging.getLogger("elsewhere").exception("h")
    lines = log_stream.getvalue().splitlines()
    assert [line[:3] for line in lines] == ["<2>", "<3>", "<4>", "<6>", "<3>", "<6>", "<3>", "<3>"]
    assert [json.loads(line[3:])["event"] for line in lines] == list("abcdefgh")
    assert "many\nlines" in json.loads(lines[-1][3:])["exception"]


def _stderr_of(journal: str | None, stderr: int | None = None) -> str:
    """Returns the program's stderr, which is a file, or goes to `stderr`."""
    environment = {name: value for name, value in os.environ.items() if name != "JOURNAL_STREAM"}
    if journal is not None:
        environment["JOURNAL_STREAM"] = journal
    done = subprocess.run(
        [sys.executable, "-c", SAYS], env=environment, check=True, text=True, stderr=stderr or subprocess.PIPE
    )
    return done.stderr or ""


@pytest.mark.parametrize("journal", [None, "", "1:2", "nonsense"])
def test_a_log_that_goes_elsewhere_stays_as_it_is(journal: str | None) -> None:
    lines = [json.loads(line) for line in _stderr_of(journal).splitlines()]
    assert [line["event"] for line in lines] == ["one", "two", "three"]


def test_a_log_that_goes_to_the_journal_says_its_priorities(tmp_path: Path) -> None:
    with (tmp_path / "journal").open("w+") as file:
        file_stat = os.fstat(file.fileno())
        _stderr_of(f"{file_stat.st_dev}:{file_stat.st_ino}", file.fileno())
        lines = (tmp_path / "journal").read_text().splitlines()
    assert [line[:3] for line in lines] == ["<6>", "<4>", "<3>"]
    assert [json.loads(line[3:])["event"] for line in lines] == ["one", "two", "three"]


def test_a_commands_refusal_is_an_error_in_the_journal(tmp_path: Path) -> None:
    with (tmp_path / "journal").open("w+") as file:
        file_stat = os.fstat(file.fileno())
        journal = {"JOURNAL_STREAM": f"{file_stat.st_dev}:{file_stat.st_ino}", "STEMPELWERK_DATABASE_URL": "nonsense"}
        command = Forked(run_command, "serve", environment=os.environ | journal, files={2: file.fileno()})
        assert command.wait(PATIENCE_S) == 1
    journal_text = (tmp_path / "journal").read_text()
    assert journal_text.startswith("<3>STEMPELWERK_DATABASE_URL is no address")
    assert journal_text.count("\n") == 1


def test_a_look_at_the_schema_is_no_line(log_stream: io.StringIO) -> None:
    logging.getLogger("alembic.runtime.migration").info("Context impl PostgresqlImpl.")
    assert log_stream.getvalue() == ""
    logging.getLogger("alembic.runtime.migration").warning("worth a line")
    assert log_stream.getvalue().count("\n") == 1


def _fault_of_sqlite() -> Exception:
    """Returns the error of a database that must not grow, as on a full disk."""
    with create_engine("sqlite://").connect() as connection:
        connection.execute(text("CREATE TABLE t (a)"))
        connection.execute(text("PRAGMA max_page_count = 2"))
        with pytest.raises(Exception, match="full") as raised:
            connection.execute(text("INSERT INTO t VALUES (zeroblob(100000))"))
    return raised.value


@pytest.mark.parametrize("error", [_fault_of_sqlite(), DiskFull("no"), OSError(errno.ENOSPC, "no")])
def test_a_full_disk_is_one_line_of_the_log_without_a_traceback(log_stream: io.StringIO, error: Exception) -> None:
    structlog.get_logger("a").error("database_failed", exc_info=error)
    try:
        raise LookupError("elsewhere") from error
    except LookupError:
        structlog.get_logger("a").exception("b")
    for line in log_stream.getvalue().splitlines():
        record = json.loads(line[3:])
        assert "the disk is full" in record["error"]
        assert "exception" not in record


def test_another_error_keeps_its_traceback(log_stream: io.StringIO) -> None:
    structlog.get_logger("a").error("b", exc_info=OSError(errno.EIO, "no"))
    assert "OSError" in json.loads(log_stream.getvalue()[3:])["exception"]
