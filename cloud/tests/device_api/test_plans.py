"""Every look-up of a merge goes by index with the whole key, whenever PostgreSQL made its plan.

The service lets PostgreSQL keep one plan for each statement of a connection. A plan that was made while the tables were
tiny is kept while they grow, and what was cheap then (walking all of an index) is dear for ever.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any

import pytest
from psycopg._preparing import PrepareManager
from sqlalchemy import Connection, Engine, QueuePool, event, text
from stempelwerk_cloud.device_api.beats import device_state
from stempelwerk_cloud.device_api.delivery import gaps, opening, past
from stempelwerk_cloud.device_api.delivery import merge as merge_module
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.statements import Statement
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving import queries as entries_repository
from stempelwerk_cloud.timekeeping.ledger.deriving import rows as deriving_rows
from stempelwerk_cloud.timekeeping.ledger.intake import arrivals, queries
from stempelwerk_cloud.timekeeping.ledger.placing import facts, reprocessing

from cloud.tests import plans
from cloud.tests.device_client import Clock, outcomes, uuid7
from cloud.tests.plans import Index
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Site, enrolled, hours

pytestmark = pytest.mark.usefixtures("unused_database")  # plans depend on what a table has held before

ROOMS = (
    merge_module,
    opening,
    past,
    gaps,
    arrivals,
    facts,
    queries,
    reprocessing,
    deriving_rows,
    entries_repository,
    derivation_inputs,
)
NOT_OF_A_MERGE = {
    "stempelwerk_cloud.timekeeping.ledger.deriving.queries._FIGURES": "sent by pages, whose messages change figures",
    "stempelwerk_cloud.device_api.delivery.gaps._READ": "a heartbeat's",
    "stempelwerk_cloud.timekeeping.ledger.deriving.rows._GIVE[person]": "whoever is given a tag",
    "stempelwerk_cloud.timekeeping.ledger.deriving.queries._PEOPLE": "rebuilding",
    "stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs._BUMP": "whoever changes the rules",
    "stempelwerk_cloud.timekeeping.ledger.intake.queries._OF_DEVICE": "an assignment that ends",
    "stempelwerk_cloud.timekeeping.ledger.intake.queries._OF_TAG": "a tag that changes hands",
    "stempelwerk_cloud.timekeeping.ledger.intake.queries._UNASSIGNED_OF": "a release",
}
"""Statements of those rooms that no batch sends, and whose they are."""
MANY = 2_000
_PARAMETER = re.compile(r"%\(\w+\)s|\$\d+")


@pytest.fixture
def database_url(postgres_url: str) -> str:
    """SQLite keeps no plans for growing tables: it plans by the statement's own order."""
    return postgres_url


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Engine], None]]:
    """Has every statement on an engine's new connections prepared the first time, and kept prepared.

    The driver would forget all of them when a transaction is rolled back, as one is that turns out to be unusual.
    """
    monkeypatch.setattr(PrepareManager, "clear", lambda _: False)
    engines: list[Engine] = []

    def prepare(engine: Engine) -> None:
        engine.dispose()
        event.listen(engine, "connect", _prepare_at_once)
        engines.append(engine)

    yield prepare
    for engine in engines:
        event.remove(engine, "connect", _prepare_at_once)


@pytest.fixture
def lived(site: Site, at_once: Callable[[Engine], None]) -> Site:
    """A firm that everything has just happened to that a merge can meet, all on one connection, on a young database."""
    database = site.world.platform.database
    second, stranger = site.another_clock(), enrolled(site.world, site.clock, "SW-T-3", 3)
    at_once(database.engines.merging)
    _usual(site, second)
    _unusual(site, second, stranger)
    _without_a_good_clock(site, second)
    return site


def _prepare_at_once(connection: Any, _entry: object) -> None:
    connection.prepare_threshold = 0
    connection.prepared_max = 10_000


def _usual(site: Site, second: Clock) -> None:
    device = site.device
    device.deliver(device.tap(ANNA, MORNING), anchors=[device.anchor(MORNING)])
    batch = device.batch(device.tap(ANNA, MORNING + hours(4)), device.tap(BEN, MORNING), device.tap(NOBODY, MORNING))
    assert outcomes(device.sent(batch)) == ["stored"] * 3
    assert outcomes(device.sent(batch)) == ["duplicate"] * 3
    device.start_agent()
    device.seq += 2  # two rows are missing
    crowd = [device.tap(f"04CC{number:04X}", MORNING + timedelta(minutes=number)) for number in range(30)]
    device.deliver(device.tap(ANNA, MORNING + timedelta(seconds=30)), *crowd)
    held_stamp = next(stamp for stamp in site.held() if stamp["tag"] == NOBODY)
    site.boss.post(f"/api/companies/{site.firm.id}/held-stamps/{held_stamp['id']}/resolve", json={"action": "discard"})
    second.deliver(second.tap(ANNA, MORNING - hours(30)), second.tap(ANNA, MORNING + hours(4.5), direction="out"))


def _unusual(site: Site, second: Clock, stranger: Clock) -> None:
    device = site.device
    tap, unassigned = device.tap(ANNA, MORNING + hours(6)), stranger.tap(ANNA, MORNING)
    device.deliver(tap)
    device.deliver(tap | {"direction": "out"})
    second.deliver(tap)
    device.deliver(tap, {"id": uuid7(MORNING, device.rng), "nonsense": True})
    stranger.deliver(unassigned, anchors=[stranger.anchor(MORNING)])
    stranger.deliver(*(stranger.tap(BEN, MORNING + timedelta(minutes=number)) for number in range(1, 31)))
    stranger.deliver(unassigned)
    second.deliver(unassigned)
    stranger.deliver(unassigned | {"direction": "in"})
    device.sent(device.batch(device.tap(BEN, MORNING + hours(7))) | {"lease": 0})


def _without_a_good_clock(site: Site, second: Clock) -> None:
    device = site.device
    device.deliver(device.tap(BEN, MORNING + hours(8), quality="none"))
    device.deliver(device.tap(ANNA, MORNING + hours(8)), anchors=[device.anchor(MORNING + hours(8), rtt_ms=4)])
    device.start_system()
    device.deliver(device.tap(BEN, MORNING + hours(8.5)))
    contradiction = device.anchor(MORNING + hours(10)) | {"serverTime": "2026-11-20T15:00:00.000Z"}
    device.deliver(device.tap(BEN, MORNING + hours(11)), anchors=[contradiction])
    second_batch = second.batch(second.tap(BEN, MORNING + hours(9)))
    second.sent(second_batch)
    second.deliver(second.tap(BEN, MORNING + hours(9.5)))
    site.clock.advance(hours=1)
    second.sent(second_batch)


def test_every_statement_of_the_merge_is_looked_at(lived: Site) -> None:
    with _connections(lived) as connections:
        sent = [
            _PARAMETER.sub("?", statement) for connection in connections for _, statement, _ in _prepared(connection)
        ]
    unseen = {
        name
        for room in ROOMS
        for name, statement in _statements(room)
        if _PARAMETER.sub("?", statement.postgresql) not in sent
    }
    assert unseen == NOT_OF_A_MERGE.keys()


def test_plans_of_an_empty_database_look_up_by_the_whole_key(lived: Site) -> None:
    """The connection's own plans, as the merges made them, before anything was analysed."""
    _is_by_index(lived)


def test_plans_of_a_tiny_database_look_up_by_the_whole_key(lived: Site, owner: Database) -> None:
    _analyse(owner)
    _is_by_index(lived)


def test_plans_of_a_grown_database_look_up_by_the_whole_key(lived: Site, owner: Database) -> None:
    _grow(owner)
    _analyse(owner)
    _is_by_index(lived)


def test_heartbeats_look_up_by_the_whole_key(site: Site, at_once: Callable[[Engine], None]) -> None:
    database = site.world.platform.database
    at_once(database.engines.looking)
    assert site.device.beat().status_code == 200
    prepared = "SELECT name, statement, cardinality(parameter_types) FROM pg_prepared_statements WHERE NOT from_sql"
    sent = database.look_up(Statement(prepared), {})
    expected = _PARAMETER.sub("?", device_state._READ.postgresql)
    [(name, count)] = [(name, count) for name, statement, count in sent if _PARAMETER.sub("?", statement) == expected]
    explain = Statement(f"EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE {name}({', '.join(['NULL'] * count)})")
    [(explained,)] = database.look_up(explain, {})
    with database.engine.connect() as another:
        assert plans.faults(explained[0]["Plan"], plans.indexes_of(another)) == ["Seq Scan on installation"]


def _is_by_index(site: Site) -> None:
    with site.world.platform.database.engine.connect() as another:
        indexes = plans.indexes_of(another)
    with _connections(site) as connections:
        scans = {
            f"{fault} in: {statement}"
            for connection in connections
            for name, statement, parameters in _prepared(connection)
            for fault in _faults(connection, name, parameters, indexes)
        }
    assert not scans, "\n".join(sorted(scans))


def _faults(connection: Connection, name: str, parameters: int, indexes: dict[str, Index]) -> list[str]:
    null_values = f"({', '.join(['NULL'] * parameters)})" if parameters else ""
    explained = connection.exec_driver_sql(f"EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE {name}{null_values}").scalar_one()
    return plans.faults(explained[0]["Plan"], indexes)


@contextmanager
def _connections(site: Site) -> Iterator[list[Connection]]:
    """Transactions as merges have them, on whatever connections have prepared something: one, as a rule."""
    database = site.world.platform.database
    pool = database.engines.merging.pool
    assert isinstance(pool, QueuePool)
    with ExitStack() as all_of_them:
        sessions = [all_of_them.enter_context(database.merge()) for _ in range(pool.checkedin())]
        yield [session.connection() for session in sessions]


def _prepared(connection: Connection) -> list[tuple[str, str, int]]:
    """Name, text and number of parameters of what the connection has prepared."""
    rows = connection.execute(
        text("SELECT name, statement, cardinality(parameter_types) FROM pg_prepared_statements WHERE NOT from_sql")
    )
    words = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
    return [(name, statement, count) for name, statement, count in rows if statement.startswith(words)]


def _statements(room: Any) -> Iterator[tuple[str, Statement]]:
    for name, value in vars(room).items():
        members = value.items() if isinstance(value, dict) else [("", value)]
        for key, member in members:
            if isinstance(member, Statement):
                yield f"{room.__name__}.{name}{key and f'[{key}]'}", member


def _analyse(owner: Database) -> None:
    with owner.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")


_GROWTH = (
    "INSERT INTO stamps (company_id, tag_no, at, id, boottime_ms, seq, received_at, stream_no, reported_bits, status,"
    " waits, unsettled) SELECT company_id, tag_no + g % 50, at - g * 1000, gen_random_uuid(), boottime_ms, seq,"
    " received_at, stream_no, reported_bits, status, false, false FROM (SELECT * FROM stamps LIMIT 1) s,"
    " generate_series(1, :many) g",
    "INSERT INTO receipts (id, device_no, digest, tag_no) SELECT gen_random_uuid(), device_no, digest, tag_no"
    " FROM (SELECT * FROM receipts LIMIT 1) r, generate_series(1, :many)",
    "INSERT INTO entries (company_id, person_no, date, id, flags, is_correction) SELECT company_id, person_no + g % 50,"
    " date - g, gen_random_uuid(), 0, false FROM (SELECT * FROM entries LIMIT 1) e, generate_series(1, :many) g",
    "INSERT INTO batches (device_no, batch, received_at, digest) SELECT device_no + g % 50, gen_random_uuid(),"
    " received_at, digest FROM (SELECT * FROM batches LIMIT 1) b, generate_series(1, :many) g",
    "INSERT INTO anchors (boot_no, boottime_ms, server_time, rtt_ms) SELECT boot_no + g % 50, boottime_ms + g,"
    " server_time, rtt_ms FROM (SELECT * FROM anchors LIMIT 1) a, generate_series(1, :many) g",
    "INSERT INTO boots (device_no, boot, unsettled) SELECT device_no + g % 50, gen_random_uuid(), false"
    " FROM (SELECT * FROM boots LIMIT 1) b, generate_series(1, :many) g",
    "INSERT INTO streams (device_no, boot_no, epoch) SELECT device_no + g % 50, boot_no + g, gen_random_uuid()"
    " FROM (SELECT * FROM streams LIMIT 1) s, generate_series(1, :many) g",
    "INSERT INTO tag_numbers (company_id, tag, no) SELECT company_id, 'T' || g, no + 1000 + g"
    " FROM (SELECT * FROM tag_numbers LIMIT 1) t, generate_series(1, :many) g",
    "INSERT INTO person_numbers (company_id, user_id, no) SELECT company_id, gen_random_uuid(), no + 1000 + g"
    " FROM (SELECT * FROM person_numbers LIMIT 1) p, generate_series(1, :many) g",
)


def _grow(owner: Database) -> None:
    with owner.write(SYSTEM) as session:
        for statement in _GROWTH:
            session.execute(text(statement), {"many": MANY})
