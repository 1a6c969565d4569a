"""Backup and restore of the whole installation: every row of every table, and the service's files in the data folder.

A backup is a tar archive of JSON lines that fits both databases: taken on SQLite it can be restored on PostgreSQL and
the other way round. The rows come from one snapshot. It holds password hashes and personal data: keep it like those. It
does not hold settings of the environment, and it is no export for people.
"""

import base64
import contextlib
import fcntl
import gzip
import io
import json
import lzma
import os
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from sqlalchemy import Column, Connection, MetaData, Table, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DataError, IntegrityError

from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.operations import in_use, kept_files, key_registry
from stempelwerk_cloud.kit.operations.drafts import Drafts, OutsideOfFolder
from stempelwerk_cloud.kit.security import private
from stempelwerk_cloud.kit.security.key_files import Identify

FORMAT = 1
_MANIFEST = "manifest.json"
_PARTIAL = ".stempelwerk-backup."
_CHUNK = 500
_DAMAGE = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    gzip.BadGzipFile,
    tarfile.TarError,
    ValueError,
    KeyError,
    IntegrityError,
    DataError,
)
"""Exceptions of a truncated or altered archive, while it is read or its rows are inserted."""


class BackupRefused(Exception):
    """A backup or restore that cannot be done. The message is one line for the operator."""


class FilesMissing(BackupRefused):
    """A restore that restored the database, but not all files of the data folder."""


class Counts(NamedTuple):
    """How many rows and files were written or restored. `left_out`: names of files that were not. For a backup these
    are files of the data folder that are not the service's, and keys that are to stay out. For a restore they are
    damaged keys.
    """

    rows: int
    files: int
    left_out: tuple[str, ...] = ()


def backup(
    database: Database,
    metadata: MetaData,
    data_dir: Path,
    target: Path,
    *,
    files: Collection[str],
    keys: Mapping[str, Identify] | None = None,
    replace: bool = False,
    after_table: Callable[[str], None] = lambda _name: None,
) -> Counts:
    """Writes the archive in the folder of `target` and then renames it, so that a file with that name is never
    incomplete.

    `files`: the service's files in the data folder. `keys`: the key files among them that must be intact. `after_table`
    is called with each table's name after its rows have been read. Raises BackupRefused, and writes no file. Raises
    FileExistsError, unless `replace`, also for a file that another backup has written meanwhile.
    """
    if kept_files.is_a_clocks(data_dir):
        raise BackupRefused(
            f"{data_dir.absolute()} is also a clock's folder: give the two a data folder each (and each its own user)."
        )
    current = schema.current(database)
    if current is None or current != schema.head():
        raise BackupRefused("The database's schema is not current: run 'stempelwerk-cloud migrate' first.")
    if keys:
        _refuse_faults(database, data_dir, keys)
    folder = target.absolute().parent
    if not folder.is_dir():  # not created here: if its disk is not mounted, the backup would be on the wrong one
        raise BackupRefused(f"There is no folder {folder}: make it, mount what belongs there, or name another.")
    _remove_partial_files(folder)
    with tempfile.NamedTemporaryFile(dir=folder, prefix=_PARTIAL, delete=False) as partial:
        part = Path(partial.name)
        fcntl.flock(partial, fcntl.LOCK_EX)
        try:
            with tarfile.open(fileobj=partial, mode="w:gz", compresslevel=6) as archive:
                rows = _write_rows(archive, database, metadata, after_table, target.parent)
                lock_file = data_dir / machine_semaphore.FILE
                ours = _database_files(database) | {path.resolve() for path in (target, part, lock_file)}
                sorted_files = kept_files.sort(data_dir, files, skip=ours)
                _write_files(archive, sorted_files.included)
            partial.flush()
            os.fsync(partial.fileno())
            if not replace:
                target.touch(mode=0o600, exist_ok=False)  # of two concurrent backups, the first gets the name
            part.rename(target)
        except BaseException:
            part.unlink()
            raise
    return Counts(rows, len(sorted_files.included), sorted_files.left_out)


def _remove_partial_files(folder: Path) -> None:
    """Removes the partial files of killed backups, each as large as a backup. Those of running backups are locked, and
    stay.
    """
    for leftover in folder.glob(f"{_PARTIAL}*"):
        with leftover.open("rb") as file, contextlib.suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover.unlink()


def _refuse_faults(database: Database, data_dir: Path, keys: Mapping[str, Identify]) -> None:
    with database.read(SYSTEM) as session:
        faults = key_registry.find(session, data_dir, keys)
    if faults:
        raise BackupRefused(f"{faults[0].sentence} Until then --without-keys makes a backup without keys.")


def restore(
    database: Database,
    data_dir: Path,
    source: Path,
    *,
    replace: bool = False,
    keys: Mapping[str, Identify] | None = None,
) -> Counts:
    """Fills an empty installation from the archive, in one transaction, and brings it to the newest schema.

    `database` is opened as its owner. `replace` drops the previous content. Files that the archive does not contain are
    not touched. Those that it contains are written next to their targets before the commit, and renamed after it. A
    clock's files, which an older archive may contain, and damaged `keys` (`Counts.left_out`) are skipped.

    Raises BackupRefused if the file is no archive or is damaged, FilesMissing if only the renaming failed, in_use.InUse
    while a service runs on the database, schema.TablesLocked while another transaction locks its tables, and OSError.
    """
    try:
        with _opened(source) as archive:
            manifest = _manifest(archive)
            _read_to_the_end(archive)
            schema.prepare(database)
            with in_use.alone(database), Drafts(data_dir) as drafts:
                drafts.remove_abandoned()
                with schema.changing(database) as connection:
                    rows = _restore(connection, archive, manifest, replace=replace)
                    damaged = _unpack_files(archive, drafts, _database_files(database), keys or {})
                return Counts(rows, _put_in_place(drafts), damaged)
    except _DAMAGE as error:
        raise BackupRefused("The backup is damaged: nothing of it was restored.") from error


def _restore(connection: Connection, archive: tarfile.TarFile, manifest: dict[str, Any], *, replace: bool) -> int:
    _make_room(connection, replace=replace)
    schema.upgrade(connection, manifest["schema"])
    rows = sum(_fill(connection, table, lines) for table, lines in _tables(archive, manifest["tables"]))
    schema.complete(connection)
    if connection.dialect.name == "postgresql":
        mend_sequences(connection)
    return rows


def _write_rows(
    archive: tarfile.TarFile,
    database: Database,
    metadata: MetaData,
    after_table: Callable[[str], None],
    room: Path,
) -> int:
    """Writes all rows into the archive, each table through a temporary file in the folder `room`: /tmp may be in
    memory.
    """
    tables = metadata.sorted_tables
    rows = 0
    manifest = {
        "format": FORMAT,
        "schema": schema.head(),
        "taken_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "tables": [table.name for table in tables],
    }
    _add(archive, _MANIFEST, io.BytesIO(json.dumps(manifest, indent=2).encode()))
    with database.snapshot(SYSTEM) as connection:
        for table in tables:
            with tempfile.TemporaryFile(dir=room) as lines:
                for line in _lines(connection, table):
                    lines.write(line)
                    rows += 1
                _add(archive, f"tables/{table.name}.jsonl", lines)
            after_table(table.name)
    return rows


def _write_files(archive: tarfile.TarFile, files: Mapping[str, Path]) -> None:
    for name, path in files.items():
        with path.open("rb") as content:
            _add(archive, f"files/{name}", content)


def _lines(connection: Connection, table: Table) -> Iterator[bytes]:
    result = connection.execution_options(yield_per=_CHUNK).execute(select(table))
    names = [column.name for column in table.columns]
    for row in result:
        values = {name: _portable(value) for name, value in zip(names, row, strict=True)}
        yield json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _portable(value: Any) -> Any:
    """Converts a column's value to JSON that both databases accept: instants as milliseconds, days in ISO format, bytes
    and JSON as an object with one member.
    """
    if isinstance(value, datetime):
        return ms_of(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return {"bytes": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, dict | list):
        return {"json": json.dumps(value, ensure_ascii=False)}
    return value


def _native(value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["bytes"]) if "bytes" in value else value["json"]
    return value


def _opened(source: Path) -> tarfile.TarFile:
    try:
        return tarfile.open(source, mode="r:*")
    except tarfile.ReadError:
        raise BackupRefused("This file is no backup of Stempelwerk.") from None


def _manifest(archive: tarfile.TarFile) -> dict[str, Any]:
    try:
        member = archive.extractfile(_MANIFEST)
    except KeyError:
        member = None
    if member is None:
        raise BackupRefused("This file is no backup of Stempelwerk.")
    manifest: dict[str, Any] = json.load(member)
    if manifest.get("format") != FORMAT:
        raise BackupRefused(f"This backup has format {manifest.get('format')}; this program reads format {FORMAT}.")
    if not schema.knows(manifest["schema"]):
        raise BackupRefused("This backup was made by a newer version of Stempelwerk.")
    return manifest


def _read_to_the_end(archive: tarfile.TarFile) -> None:
    """Reads the archive to its end, which verifies its checksum before anything is changed."""
    stream = archive.fileobj
    while stream is not None and stream.read(1 << 20):
        continue


def _make_room(connection: Connection, *, replace: bool) -> None:
    existing = MetaData()
    existing.reflect(connection)
    filled = [
        table.name
        for table in existing.sorted_tables
        if table.name != "alembic_version" and connection.execute(select(text("1")).select_from(table).limit(1)).first()
    ]
    if filled and not replace:
        raise BackupRefused(
            "The database is not empty: restore into a new one, or say --replace to lose what is there."
        )
    existing.drop_all(connection)


def _tables(archive: tarfile.TarFile, names: Iterable[str]) -> Iterator[tuple[str, IO[bytes]]]:
    for name in names:
        lines = archive.extractfile(f"tables/{name}.jsonl")
        if lines is None:
            raise KeyError(name)
        yield name, lines


def _fill(connection: Connection, name: str, lines: IO[bytes]) -> int:
    # The table as it is at the backup's revision, which may be older than the program's own description of it.
    table = Table(name, MetaData(), *(Column(entry["name"]) for entry in inspect(connection).get_columns(name)))
    quote = connection.dialect.identifier_preparer.quote
    columns = ", ".join(quote(column.name) for column in table.columns)
    marks = ", ".join("%s" if connection.dialect.paramstyle in {"format", "pyformat"} else "?" for _ in table.columns)
    statement = f"INSERT INTO {quote(name)} ({columns}) VALUES ({marks})"  # noqa: S608 -- names are quoted
    chunk: list[tuple[Any, ...]] = []
    rows = 0
    for line in lines:
        values = json.loads(line)
        chunk.append(tuple(_native(values.get(column.name)) for column in table.columns))
        rows += 1
        if len(chunk) == _CHUNK:
            connection.exec_driver_sql(statement, chunk)
            chunk = []
    if chunk:
        connection.exec_driver_sql(statement, chunk)
    return rows


def mend_sequences(connection: Connection) -> None:
    """Sets PostgreSQL's sequences to continue after the highest number: inserting rows with explicit numbers does not
    advance them.
    """
    owned = connection.execute(
        text(
            "SELECT c.relname, a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence"
            " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))"
            " AND a.attnum > 0"
            " AND NOT a.attisdropped AND pg_get_serial_sequence(quote_ident(c.relname), a.attname) IS NOT NULL"
        )
    ).all()
    quote = connection.dialect.identifier_preparer.quote
    for table, column, sequence in owned:
        highest = f"SELECT max({quote(column)}) FROM {quote(table)}"  # noqa: S608 -- names are quoted
        connection.execute(
            text(f"SELECT setval(:sequence, coalesce(({highest}), 0) + 1, false)"), {"sequence": sequence}
        )


def _unpack_files(
    archive: tarfile.TarFile, drafts: Drafts, skip: set[Path], keys: Mapping[str, Identify]
) -> tuple[str, ...]:
    """Writes the archive's files as drafts, except those in `skip`, a clock's, and damaged keys. Returns the names of
    the damaged keys.
    """
    damaged = []
    for member in archive:
        parts = PurePosixPath(member.name).parts
        if parts[:1] != ("files",) or not member.isfile():
            continue
        name = PurePosixPath(*parts[1:])
        try:
            target = drafts.place(name)
        except OutsideOfFolder:
            raise BackupRefused(f"The backup holds a file outside of the data folder: {member.name}") from None
        content = archive.extractfile(member)
        assert content is not None
        # An earlier embedded database may have been in the data folder of the one that was backed up.
        if name.as_posix() in keys and not _is_key(content, keys[name.as_posix()]):
            damaged.append(name.as_posix())
        elif target not in skip and not kept_files.of_a_clock(name):
            drafts.write(target, content)
    for target in drafts.targets:
        if target.is_dir():
            raise BackupRefused(f"Where the backup has a file, there is a folder: {target}")
    return tuple(damaged)


def _is_key(content: IO[bytes], identify: Identify) -> bool:
    try:
        identify(content.read().strip())
    except ValueError:
        return False
    content.seek(0)
    return True


def _put_in_place(drafts: Drafts) -> int:
    files = len(drafts.targets)
    try:
        drafts.put_in_place()
    except OSError as error:
        missing = ", ".join(str(target) for target in drafts.targets)
        raise FilesMissing(
            f"The database is restored, but these files are not: {missing} ({error.strerror})."
            " Mend that and restore again with --replace."
        ) from error
    return files


def _database_files(database: Database) -> set[Path]:
    if database.dialect != "sqlite":
        return set()
    path = make_url(str(database.engine.url)).database
    assert path is not None
    return {Path(path + ending).resolve() for ending in (*private.SQLITE_ENDINGS, in_use.LOCK_ENDING)}


def _add(archive: tarfile.TarFile, name: str, content: IO[bytes]) -> None:
    content.seek(0, io.SEEK_END)
    member = tarfile.TarInfo(name)
    member.size = content.tell()
    member.mode = 0o600
    member.mtime = int(datetime.now(UTC).timestamp())
    content.seek(0)
    archive.addfile(member, content)
