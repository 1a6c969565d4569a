"""Access to the database: its engines and its transactions. Only the relay of live events has a connection of its own
(`live/relay.py`).

The transaction of a request is opened in `kit/http/request_life.py`. A dry run executes the statements of a change on a
snapshot, and changes nothing (`shadows.py`). Deliberately absent: queries, retries, and sessions that outlive a
transaction.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session, SessionTransaction, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from stempelwerk_cloud.kit.database import alphabet, postgres
from stempelwerk_cloud.kit.database.looking import Looking, RunInThread
from stempelwerk_cloud.kit.database.scopes import CONDITIONS, DEVICES, Conditions, Scope
from stempelwerk_cloud.kit.database.shadows import shadowed
from stempelwerk_cloud.kit.database.statements import Statement
from stempelwerk_cloud.kit.security import private
from stempelwerk_cloud.kit.slots import Slot

BUSY_TIMEOUT_S = 10
CLOCKS_CONNECTIONS = 6
"""The most connections, in addition to the pool, that are reserved for clocks: a heartbeat finds one however busy the
pages are.
"""
MERGING_CONNECTIONS = 2
"""The most connections for `Database.merge`, and so the most merging transactions at once in a process."""
DRY_RUN_S = 60
"""Seconds that a dry run may take: several times what 200 people with three exported years need."""
LOOKING_CONNECTIONS = 2
"""The most connections for `Database.look_up`, which holds one while its statement runs. `look_up_soon` may hold one of
them.
"""
_AFTER_COMMIT: Slot[Session, list[Callable[[], None]]] = Slot(lambda _: [])
"""The actions that run once the transaction is committed."""


class UnusableDatabase(ValueError):
    """A database URL that the service cannot use. The message is one line for the operator."""


class Engines(NamedTuple):
    """The pools of connections: `pages` for pages and everything else, and three reserved for clocks."""

    pages: Engine
    clocks: Engine
    looking: Engine
    merging: Engine


class Database:
    """The database and its kinds of transaction. `url` is an SQLAlchemy URL of SQLite (a file) or PostgreSQL.

    `as_owner`: only for migrating and restoring. On PostgreSQL all other access uses the service's role, and sees the
    rows that the scope of its transaction allows. As a context manager it is disposed of at the end.
    """

    dialect: Literal["sqlite", "postgresql"]

    def __init__(self, url: str, *, pool_size: int = 10, as_owner: bool = False) -> None:
        parsed = _parsed(url)
        if parsed.get_backend_name() == "sqlite":
            self.dialect = "sqlite"
            make = partial(_sqlite_engine, parsed)
        else:
            self.dialect = "postgresql"
            make = partial(postgres.make_engine, parsed, as_owner=as_owner)
        self.engines = Engines(
            make(pool_size), make(CLOCKS_CONNECTIONS), make(LOOKING_CONNECTIONS), make(MERGING_CONNECTIONS)
        )
        self.engine = self.engines.pages
        event.listen(self.engines.looking, "connect", _look_only if self.dialect == "sqlite" else postgres.look_only)
        if self.dialect == "postgresql":
            event.listen(self.engines.merging, "connect", postgres.merge_only)
            for engine in self.engines[1:]:
                event.listen(engine, "connect", postgres.prepare_all)
        self._looking = Looking(self.engines.looking)
        self._others, self._clocks = (_Sessions(engine, self.dialect) for engine in self.engines[:2])

    @contextmanager
    def read(self, scope: Scope) -> Iterator[Session]:
        """Begins a read-only transaction: the database refuses writes."""
        info = CONDITIONS.info_of(Conditions(scope, takes_locks=False, reads_only=True))
        with self._sessions(scope).reading(info=info) as session, session.begin():
            yield session

    def look_up(self, statement: Statement, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Returns the rows of one statement that reads by index (`postgres.BY_INDEX`), across companies, for clocks'
        calls.

        It is a transaction of its own and one message to the database, where a session's takes three.
        """
        return self._looking.rows(statement, parameters)

    async def look_up_soon(
        self, run: RunInThread, statement: Statement, parameters: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Does what `look_up` does, from the event loop: without a thread if a connection is idle, else in a thread by
        `run`.
        """
        return await self._looking.rows_soon(run, statement, parameters)

    @contextmanager
    def write(self, scope: Scope) -> Iterator[Session]:
        """Begins a writing transaction: it commits at the end of the block, and rolls back on any exception. Actions of
        `after_commit` run after the commit.
        """
        with self._sessions(scope).writing(info=CONDITIONS.info_of(Conditions(scope))) as session:
            with session.begin():
                yield session
            _run_after_commit(session)

    @contextmanager
    def dry_run(self, scope: Scope, company_id: str) -> Iterator[Session]:
        """Begins a transaction on one snapshot, whose writes go to shadow tables (`shadows.py`) and are rolled back.

        It takes no lock that another transaction waits for. Raises TookTooLong after `DRY_RUN_S` seconds.
        """
        info = CONDITIONS.info_of(Conditions(scope, takes_locks=False))
        with self.engine.execution_options(dry_run=True).connect() as connection, connection.begin() as transaction:
            if self.dialect == "postgresql":
                postgres.begin(connection, scope, one_moment=True)
            with (
                shadowed(connection, company_id, DRY_RUN_S),
                Session(connection, expire_on_commit=False, info=info) as session,
            ):
                yield session
            transaction.rollback()

    @contextmanager
    def merge(self) -> Iterator[Session]:
        """Begins a writing transaction for clocks' batches. Rows are looked up by index (`postgres.BY_INDEX`), and
        statements are sent in a pipeline.

        Statements of `Sql` need no session; using the session itself makes it join their transaction.
        """
        with (
            self.engines.merging.connect() as connection,
            connection.begin(),
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session
            session.flush()
        _run_after_commit(session)

    def can_be_written(self) -> bool:
        """Returns whether the server accepts writes; a server that was replaced by another is read-only."""
        if self.dialect == "sqlite":
            return True
        only_reads = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool"
        with self.engine.connect() as connection:
            return not connection.exec_driver_sql(only_reads).scalar_one()

    @contextmanager
    def snapshot(self, scope: Scope) -> Iterator[Connection]:
        """Begins a read-only transaction on one snapshot, without a limit of time."""
        with self.engine.execution_options(read_only=True).connect() as connection, connection.begin():
            if self.dialect == "postgresql":
                postgres.begin(connection, scope, read_only=True, one_moment=True)
            yield connection

    def _sessions(self, scope: Scope) -> "_Sessions":
        return self._clocks if scope == DEVICES else self._others

    def dispose(self) -> None:
        self._looking.dispose()
        for engine in self.engines:
            engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.dispose()


def after_commit(session: Session, action: Callable[[], None]) -> None:
    """Registers an action that runs once the session's transaction is committed; never, if it is rolled back."""
    _AFTER_COMMIT.of(session).append(action)


def savepoint(session: Session) -> SessionTransaction:
    """Makes a savepoint at once. SQLAlchemy's own waits for the session's next statement, which `Sql` bypasses."""
    step = session.begin_nested()
    session.connection()
    return step


def _run_after_commit(session: Session) -> None:
    for action in _AFTER_COMMIT.pop(session) or ():
        action()


class _Sessions:
    """The session factories of an engine: writing and read-only. A session has `CONDITIONS`."""

    def __init__(self, engine: Engine, dialect: str) -> None:
        self.writing = sessionmaker(engine, expire_on_commit=False)
        if dialect == "sqlite":
            self.reading = sessionmaker(engine.execution_options(read_only=True), expire_on_commit=False)
            return
        # Events of sessions and not of the engine, which would cost each statement.
        self.reading = sessionmaker(engine, expire_on_commit=False)
        event.listen(self.writing, "after_begin", _begin_writing)
        event.listen(self.reading, "after_begin", _begin_reading)


def _begin_reading(session: Session, transaction: SessionTransaction, connection: Connection) -> None:
    if not transaction.nested:
        postgres.begin(connection, CONDITIONS.of(session).scope, read_only=True)


def _begin_writing(session: Session, transaction: SessionTransaction, connection: Connection) -> None:
    if not transaction.nested:
        postgres.begin(connection, CONDITIONS.of(session).scope)


def _parsed(url: str) -> URL:
    """Parses the database URL. Raises UnusableDatabase, whose message repeats nothing of it: any part may contain a
    password.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or "@" in (parsed.host or ""):
        raise UnusableDatabase(
            "STEMPELWERK_DATABASE_URL is no address of a database: sqlite:////path/to/file, or"
            " postgresql+psycopg://user:password@host/database, with %40 for each @ in the password"
        )
    backend, _, driver = parsed.drivername.partition("+")
    if backend not in {"sqlite", "postgresql"}:
        raise UnusableDatabase(f"STEMPELWERK_DATABASE_URL must be sqlite or postgresql, not {backend}")
    # for PostgreSQL psycopg is used, whatever driver is named
    if backend == "sqlite" and driver not in {"", "pysqlite"}:
        raise UnusableDatabase("STEMPELWERK_DATABASE_URL of SQLite must begin with sqlite://")
    return parsed


def _sqlite_engine(url: URL, pool_size: int) -> Engine:
    path = url.database
    if not path or path == ":memory:":
        raise UnusableDatabase("STEMPELWERK_DATABASE_URL of SQLite must name a file")
    file = Path(path).absolute()
    engine = create_engine(
        url,
        connect_args={"timeout": BUSY_TIMEOUT_S, "isolation_level": None},
        pool_size=pool_size,
        max_overflow=0,
        hide_parameters=True,
    )
    event.listen(engine, "do_connect", lambda *_: private.make_sqlite_file(file))
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_S * 1000}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
    alphabet.prepare_sqlite(connection)


def _look_only(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA query_only=ON")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock at once: one that had read first could no longer get it without failing.
    options = connection.get_execution_options()
    if options.get("read_only"):
        connection.exec_driver_sql("PRAGMA query_only=ON")
        connection.exec_driver_sql("BEGIN")
    elif options.get("dry_run"):  # its own tables are written, the database's file is not
        connection.exec_driver_sql("PRAGMA query_only=OFF")
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("PRAGMA query_only=OFF")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
