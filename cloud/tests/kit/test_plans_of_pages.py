"""No reading call scans all stamps, entries, receipts or decisions of the installation, on either database.

The calls are those of the API's description, in an installation that is moderately filled and analysed. Each statement
of a call is explained on its connection, in its transaction, with its parameters.
"""

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
import uvicorn
from sqlalchemy import Connection, event, select
from sqlalchemy.orm import Session
from stempelwerk_cloud.app import create_app, metadata
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.pipeline import PIPELINE, Pipeline
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_tools.bench import crowd
from stempelwerk_tools.bench.crowd import Crowd, Size
from stempelwerk_tools.bench.measures import readings
from stempelwerk_tools.bench.measures.size import analyse
from stempelwerk_tools.ports import reserved_port

from cloud.tests import plans
from cloud.tests.databases import ON_BOTH
from cloud.tests.kit.filling import pile_up
from cloud.tests.many_in_one import many_in_one
from cloud.tests.matrix import samples

pytestmark = [ON_BOTH, pytest.mark.usefixtures("unused_database")]  # plans depend on what a table has held before

SIZE = Size(companies=12, people=240, clocks=24, stamps=9_000, large=20, days=40, years=0)
DECISIONS = 200
GROWING = {table for room in samples.by_room().values() for table in room.grows}
SEARCHES = {"GET /api/operator-log?q=gesperrt&limit=50": {"operator_log"}}
"""Tables that a search by text may scan, by call. The operator log is short: a search without a match in 110,000 rows
took 24 ms on SQLite and 17 ms on PostgreSQL."""
_STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)


@dataclass
class Statements:
    """Statements sent to the database: the tables that a plan of PostgreSQL scans, and SQLite's statements, to be
    explained afterwards.
    """

    walked: set[str] = field(default_factory=set)
    sent: list[str] = field(default_factory=list)

    def clear(self) -> None:
        self.walked.clear()
        self.sent.clear()


@dataclass
class Service:
    """The application with a filled database."""

    app: Any
    port: int
    people: Crowd
    statements: Statements
    database: Database


@pytest.fixture
def service(database_url: str, tmp_path: Path) -> Iterator[Service]:
    port, statements = reserved_port(), Statements()
    app = create_app(Settings(database_url=database_url, data_dir=tmp_path))
    platform = app.state.platform
    with many_in_one():
        people = crowd.fill(platform, f"http://127.0.0.1:{port}", SIZE, lambda _: None)
    with platform.database.write(SYSTEM) as session:
        companies = session.connection().exec_driver_sql("SELECT id FROM companies").scalars().all()
        for company_id in companies * DECISIONS:
            audit.append(session, platform, str(company_id), None, "company.updated")
        _pile_up(session, [str(company_id) for company_id in companies])
    analyse(database_url)
    _listen(platform.database, statements)
    # Without its lifespan no scheduled job runs, whose statements would count as a call's.
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.05)
    yield Service(app, port, people, statements, platform.database)
    server.should_exit = True
    platform.live.close()
    thread.join()
    platform.database.dispose()


def _pile_up(session: Session, companies: list[str]) -> None:
    """Fills tables that the crowd hardly reaches: scanning an empty table is right."""
    for table in (metadata().tables[name] for name in sorted(GROWING)):
        if len(session.execute(select(table).limit(DECISIONS)).all()) < DECISIONS:
            pile_up(session, table, companies, DECISIONS)


def _listen(database: Database, statements: Statements) -> None:
    def explain(connection: Any, query: Any, params: Any) -> None:
        """Explains a statement before it is executed."""
        if _STATEMENT.match(query):
            plan_row = psycopg.Cursor(connection).execute(f"EXPLAIN (VERBOSE, FORMAT JSON) {query}", params).fetchone()
            assert plan_row is not None
            statements.walked |= plans.scans(plan_row[0][0]["Plan"])

    class Explaining(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
            explain(self.connection, query, params)
            return super().execute(query, params, **options)

    class ExplainingPipeline(Pipeline):
        def send(self, statements: Any, *, commit: bool = False) -> Any:
            for query, params in statements:
                explain(self._driver, query, params)
            return super().send(statements, commit=commit)

    def connected(connection: Any, entry: Any) -> None:
        if database.dialect == "sqlite":
            connection.set_trace_callback(statements.sent.append)
            return
        connection.cursor_factory = Explaining
        if PIPELINE in entry.info:
            entry.info[PIPELINE] = ExplainingPipeline(connection)

    for engine in database.engines:
        engine.dispose()
        event.listen(engine, "connect", connected)


def test_no_reading_call_walks_through_a_table_that_grows(service: Service) -> None:
    assert {"stamps", "entries", "receipts", "audit_entries"} <= GROWING <= metadata().tables.keys()
    with service.database.read(SYSTEM) as session:  # that would be found
        session.connection().exec_driver_sql("SELECT count(content) FROM stamps s").all()
    assert _walked(service) == {"stamps"}
    wrong = {}
    for reading in readings.readings(service.app.openapi()):
        sent, _ = readings.answered(reading, service.people, service.port)
        service.statements.clear()
        if reading.audience == "device":
            readings.answered(reading, service.people, service.port)
        else:
            readings.ask(reading, service.port, sent)
        if walked := _walked(service) - SEARCHES.get(str(reading), set()):
            wrong[str(reading)] = sorted(walked)
    assert not wrong


def _walked(service: Service) -> set[str]:
    """Returns the growing tables that the sent statements scan."""
    sent = [query for query in service.statements.sent if _STATEMENT.match(query)]
    if not sent:
        return service.statements.walked & GROWING
    with service.database.engine.connect() as connection:
        return {table for query in sent for table in _scanned(connection, query)}


def _scanned(connection: Connection, statement: str) -> set[str]:
    """Returns the tables that SQLite scans; its plan names them as the statement does."""
    rows = connection.connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
    names = {match[1] for row in rows if (match := re.fullmatch(r"SCAN (\w+)(?! USING)", row[3]))}
    return {table for table in GROWING if any(_is_called(statement, table, name) for name in names)}


def _is_called(statement: str, table: str, name: str) -> bool:
    return name == table or re.search(rf"\b{table}(?: AS)? {name}\b", statement) is not None
