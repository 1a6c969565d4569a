"""A request is one transaction, committed before its answer leaves."""

from typing import Annotated

import pytest
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from starlette.types import Message, Receive, Scope, Send
from stempelwerk_cloud.kit.db import Database, ReadTx, WriteTx, after_commit


def _committed(database: Database) -> list[int]:
    with database.read() as session:
        return list(session.execute(text("SELECT n FROM probes ORDER BY n")).scalars())


@pytest.fixture
def probes(database: Database) -> Database:
    with database.write() as session:
        session.execute(text("CREATE TABLE probes (n INTEGER PRIMARY KEY)"))
    return database


def test_what_fails_in_the_middle_leaves_nothing(probes: Database) -> None:
    def half_way() -> None:
        with probes.write() as session:
            session.execute(text("INSERT INTO probes VALUES (1)"))
            raise LookupError

    with pytest.raises(LookupError):
        half_way()
    assert _committed(probes) == []


def test_a_reading_transaction_cannot_write(probes: Database) -> None:
    def write() -> None:
        with probes.read() as session:
            session.execute(text("INSERT INTO probes VALUES (1)"))

    with pytest.raises(DBAPIError):
        write()
    with probes.write() as session:  # on the same pooled connection
        session.execute(text("INSERT INTO probes VALUES (2)"))
    assert _committed(probes) == [2]


def test_after_commit_runs_after_the_commit_and_never_after_a_failure(probes: Database) -> None:
    seen: list[list[int]] = []
    with probes.write() as session:
        session.execute(text("INSERT INTO probes VALUES (1)"))
        after_commit(session, lambda: seen.append(_committed(probes)))
        assert seen == []
    assert seen == [[1]]

    def fail() -> None:
        with probes.write() as session:
            after_commit(session, lambda: seen.append([]))
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert seen == [[1]]


def test_the_answer_leaves_only_after_the_commit(probes: Database, app: FastAPI) -> None:
    committed_at_start: list[list[int]] = []

    @app.post("/probe")
    def probe(tx: WriteTx) -> int:
        tx.execute(text("INSERT INTO probes VALUES (7)"))
        return 7

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                committed_at_start.append(_committed(probes))
            await send(message)

        await app(scope, receive, send_on)

    with TestClient(watched) as client:
        assert client.post("/probe").status_code == 200
    assert committed_at_start == [[7]]


def test_a_failing_commit_is_a_500_and_no_success(probes: Database, app: FastAPI, client: TestClient) -> None:
    def failing_commit(tx: WriteTx) -> WriteTx:
        def fail() -> None:
            raise OSError("the disk is gone")

        tx.commit = fail  # type: ignore[method-assign]
        tx.get_transaction().commit = lambda _to_root=False: fail()  # type: ignore[union-attr]
        return tx

    @app.post("/probe")
    def probe(tx: Annotated[WriteTx, Depends(failing_commit)]) -> int:
        tx.execute(text("INSERT INTO probes VALUES (8)"))
        return 8

    answer = client.post("/probe")
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert _committed(probes) == []


def test_a_read_endpoint_sees_what_is_committed(probes: Database, app: FastAPI, client: TestClient) -> None:
    @app.get("/probe")
    def probe(tx: ReadTx) -> list[int]:
        return list(tx.execute(text("SELECT n FROM probes")).scalars())

    with probes.write() as session:
        session.execute(text("INSERT INTO probes VALUES (3)"))
    assert client.get("/probe").json() == [3]
