"""Files that are read slowly hold nothing but their reader's own turn, and that for a time."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from http.client import IncompleteRead
from os import urandom
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn
from fastapi import FastAPI
from sqlalchemy import insert
from sqlalchemy.exc import OperationalError
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.files import places, spool, store
from stempelwerk_cloud.kit.http import downloads
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.exports.tax_audit import inspection
from stempelwerk_cloud.office.records import api as records
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN
from stempelwerk_cloud.planning.facts.tables import Absence, Duty

from cloud.tests.databases import ON_SQLITE
from cloud.tests.office.people import worked
from cloud.tests.room import given
from cloud.tests.waiting import until
from cloud.tests.world import Firm, Somebody

pytestmark = ON_SQLITE

HERE = "127.0.0.1"
LITTLE = 4096
PATIENCE_S = 60
LAST_CHUNK = b"\r\n0\r\n\r\n"
"""Reads a complete chunked answer (RFC 9112, 7.1)."""


@pytest.fixture
def port(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A real server, whose sockets and spools hold so little that a slow reader is felt at once."""
    monkeypatch.setattr(spool, "MOST", 4 * LITTLE)
    monkeypatch.setattr(places, "PATIENCE_S", PATIENCE_S)
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None))
    with socket.create_server((HERE, 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LITTLE)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join()


@contextmanager
def _reading(port: int, person: Somebody, path: str) -> Iterator[socket.socket]:
    """Reads the first bytes of a file and then stops reading."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE)
        connection.settimeout(PATIENCE_S)
        connection.connect((HERE, port))
        head = f"GET {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {person.token}\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
        yield connection


def _status(port: int, person: Somebody, path: str, table: bytes = b"") -> tuple[int, str]:
    """Returns the status and the beginning of the answer; a table is imported as a dry run."""
    headers = dict(person.headers)
    form = None
    if table:
        headers["Content-Type"] = "multipart/form-data; boundary=x"
        form = (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' + table + b"\r\n--x--\r\n"
        )
    try:
        with urlopen(Request(f"http://{HERE}:{port}{path}", form, headers), timeout=PATIENCE_S) as answer:
            return answer.status, answer.read()[:200].decode(errors="replace")
    except HTTPError as error:
        return error.code, json.loads(error.read())["message"]


@pytest.fixture
def filled(firm: Firm, platform: Platform) -> Firm:
    """A company with an export, a large note, and several people who have worked."""
    people = [firm.anna, firm.ben, *(firm.world.user(firm.id, f"person {number}") for number in range(6))]
    for person in people:
        worked(person, "2026-10-05", "08:00", "16:30")
    with platform.database.write(SYSTEM) as tx:
        file_id = store.store(tx, platform, firm.id, urandom(500_000), "image/jpeg")
        now = platform.clock.now()
        row = {"company_id": firm.id, "user_id": firm.anna.id, "created_at": now, "changed_at": now}
        days = (date(2026, 1, 1) + timedelta(number) for number in range(1500))
        tx.execute(insert(Duty), [row | {"id": platform.ids.new(), "date": day} for day in days])
    given(firm.anna, Absence, date="2026-11-16", kind="sick", status="open", file_id=file_id, noted_at=now)
    assert firm.boss.get(f"/api/companies/{firm.id}/export?month=2026-10&format=csv").status_code == 200
    return firm


FILES: dict[str, Callable[[Firm], tuple[Somebody, str]]] = {
    "own data": lambda firm: (firm.anna, f"/api/users/{firm.anna.id}/data"),
    "data": lambda firm: (firm.boss, f"/api/users/{firm.anna.id}/data"),
    "archive": lambda firm: (firm.boss, f"/api/companies/{firm.id}/archive"),
    "inspection": lambda firm: (firm.boss, f"/api/companies/{firm.id}/inspection?from=2026-10-01&to=2026-10-31"),
    "dump": lambda firm: (firm.boss, f"/api/companies/{firm.id}/data-dump?limit=0"),
}


@pytest.mark.parametrize("kind", FILES)
def test_whoever_reads_slowly_keeps_nobody_else_waiting(
    filled: Firm, port: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "MOST_ROWS", 3)
    firm, company = filled, f"/api/companies/{filled.id}"
    leader = firm.world.user(firm.id, "leiterin", COMPANY_ADMIN)
    (export,) = leader.get(f"{company}/exports").json()
    reader, path = FILES[kind](firm)
    with _reading(port, reader, path):
        for page in (
            f"{company}/exports",
            f"{company}/export-check?month=2026-10",
            f"{company}/exports/{export['id']}/difference",
            f"{company}/export?month=2026-09&format=csv",
            f"{company}/inspection?from=2026-10-01&to=2026-10-31&format=csv",
            f"{company}/inspection?from=2026-10-01&to=2026-10-31",
            f"{company}/archive",
            f"{company}/data-dump",
            f"/api/users/{firm.ben.id}/data",
        ):
            status, message = _status(port, leader, page)
            assert status == 200, (page, message)
        assert _status(port, leader, f"{company}/users/import?dryRun=true", b"Name;Chip\r\nzoe;04ABCDE1")[0] == 200
        assert _status(port, firm.ben, f"/api/users/{firm.ben.id}/data")[0] == 200
        monkeypatch.setattr(places, "PATIENCE_S", 0)
        status, message = _status(port, reader, path)
        assert (status, message[:8]) == (429, "Du lädst"), message
    until(lambda: _status(port, reader, path)[0] == 200)


@pytest.mark.parametrize("kind", ["own data", "inspection"])
def test_a_process_that_packs_ends_when_its_reader_has_gone(
    filled: Firm, port: int, platform: Platform, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "MOST_ROWS", 3)
    reader, path = FILES[kind](filled)
    with _reading(port, reader, path):
        until(lambda: bool(platform.subprocesses._processes))
    until(lambda: not platform.subprocesses._processes)


def test_a_table_that_no_process_writes_breaks_off(filled: Firm, port: int, platform: Platform) -> None:
    path = f"/api/companies/{filled.id}/inspection?from=2026-10-01&to=2026-10-31&format=csv"
    assert _status(port, filled.boss, path)[0] == 200
    platform.subprocesses.end()
    with pytest.raises(IncompleteRead):
        _status(port, filled.boss, path)


def test_a_process_that_packs_ends_with_its_file_however_slowly_that_is_read(
    filled: Firm, port: int, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST", 10_000_000)
    reader, path = FILES["own data"](filled)
    with _reading(port, reader, path):
        until(lambda: not platform.subprocesses._processes)
        monkeypatch.setattr(places, "PATIENCE_S", 0)
        assert _status(port, reader, path)[0] == 429


def test_after_its_time_the_file_breaks_off_and_the_turn_is_free(
    filled: Firm, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, path = FILES["own data"](filled)
    monkeypatch.setattr(records, "LONGEST_S", 0.5)
    with _reading(port, reader, path) as connection:
        monkeypatch.setattr(records, "LONGEST_S", PATIENCE_S)
        until(lambda: _status(port, reader, path)[0] == 200)
        tail = b"".join(iter(lambda: connection.recv(65536), b""))
    assert len(tail) < 500_000


@pytest.mark.parametrize("kind", FILES)
def test_a_file_breaks_off_when_its_readers_session_ends(
    filled: Firm, port: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "MOST_ROWS", 3)
    monkeypatch.setattr(downloads, "LOOK_EVERY_S", 0.05)
    reader, path = FILES[kind](filled)
    reader_again = filled.world.again(reader)
    with _reading(port, reader, path) as connection:
        assert reader.post("/api/logout").status_code == 204
        until(lambda: _status(port, reader_again, path)[0] == 200)
        tail = b"".join(iter(lambda: connection.recv(65536), b""))
    assert not tail.endswith(LAST_CHUNK)


def test_a_file_goes_on_while_its_readers_session_does(
    filled: Firm, port: int, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session is checked any number of times meanwhile; some checks get no answer from the database."""
    monkeypatch.setattr(downloads, "LOOK_EVERY_S", 0.0)
    reader, path = FILES["own data"](filled)
    looks = []

    def look(*_: object) -> bool:
        looks.append(len(looks))
        if len(looks) % 2:
            raise OperationalError("", {}, Exception())
        return True

    monkeypatch.setattr(sessions, "is_live", look)
    with _reading(port, reader, path) as connection:
        until(lambda: len(looks) > 10)
        tail = b""
        while not tail.endswith(LAST_CHUNK):
            extra = connection.recv(65536)
            assert extra, "it broke off"
            tail += extra
