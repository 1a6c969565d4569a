"""A lock that marks a database as in use by a service. It ends with the process that holds it, however that ends.

`restore` takes the lock exclusively. On SQLite it is a lock on a file next to the database, which a service takes
exclusively too; on PostgreSQL, where services share it, it is an advisory lock of a separate connection, taken again if
that connection is lost. It does not prevent reading or writing.
"""

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.security import private

LOCK_ENDING = ".lock"
_KEY = 0x5374656D7065
_LOOK_S = 2.0
WAIT_S = 15.0
"""Seconds that a starting service waits for the previous one, which ends within ten seconds."""
_PAUSE_S = 0.1


class InUse(Exception):
    """Another service or a restore is using the database. The message is one line for the operator."""


@contextlib.contextmanager
def serving(database: Database) -> Iterator[None]:
    """Holds the lock while a service runs. Raises InUse during a restore; on SQLite also if another service runs."""
    if database.dialect == "sqlite":
        refusal = InUse(
            "Another service runs on this database, which is served by one process, or it is being restored: stop"
            " that service, or wait for the restore, then start this one."
        )
        with _file_lock(database, refusal, wait_s=WAIT_S):
            yield
        return
    connection = _try_to_lock(database, shared=True)
    if connection is None:
        raise InUse("The database is being restored: start the service when that is done.")
    stop = threading.Event()
    keeper = threading.Thread(target=_keep, args=(database, connection, stop), name="in-use", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        stop.set()
        keeper.join()


@contextlib.contextmanager
def alone(database: Database) -> Iterator[None]:
    """Holds the lock exclusively, so that no service can start. Raises InUse if a service or another restore runs."""
    refusal = InUse("A service runs on this database: stop it first, with all its processes.")
    if database.dialect == "sqlite":
        with _file_lock(database, refusal):
            yield
        return
    connection = _try_to_lock(database, shared=False)
    if connection is None:
        raise refusal
    try:
        yield
    finally:
        _let_go(connection)


@contextlib.contextmanager
def _file_lock(database: Database, refusal: InUse, *, wait_s: float = 0.0) -> Iterator[None]:
    name = database.engine.url.database
    assert name is not None
    path = Path(name + LOCK_ENDING).absolute()
    private.make_folder(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        give_up = time.monotonic() + wait_s
        while not _has_locked(descriptor):
            if time.monotonic() >= give_up:
                raise refusal
            time.sleep(_PAUSE_S)
        yield
    finally:
        os.close(descriptor)


def _has_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _try_to_lock(database: Database, *, shared: bool) -> Connection | None:
    """Returns a connection that holds the lock; None if it is not free."""
    connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    call = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
    try:
        if connection.execute(text(f"SELECT {call}(:key)"), {"key": _KEY}).scalar_one():
            return connection
    except BaseException:
        _let_go(connection)
        raise
    _let_go(connection)
    return None


def _let_go(connection: Connection) -> None:
    # The database notices the end of a connection a little later, and the next holder may begin at once.
    if not connection.invalidated:
        with contextlib.suppress(DBAPIError):
            connection.execute(text("SELECT pg_advisory_unlock_all()"))
    connection.invalidate()  # a connection that went back to the pool would keep the lock
    connection.close()


def _keep(database: Database, connection: Connection | None, stop: threading.Event) -> None:
    while not stop.wait(_LOOK_S):
        try:
            if connection is None:
                connection = _try_to_lock(database, shared=True)
            else:
                connection.execute(text("SELECT 1"))
        except DBAPIError:
            if connection is not None:
                _let_go(connection)
            connection = None
    if connection is not None:
        _let_go(connection)
