"""Subcommands of the `stempelwerk-cloud` program.

An expected error is printed in one line on stderr, and the exit status is 1. The status is 2 for a usage error: unknown
options (as argparse does), a target file that already exists (`NotForced`), or a restore while a service runs
(`in_use.InUse`).
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path

import psycopg
from psycopg.errors import (
    IdleInTransactionSessionTimeout,
    InsufficientPrivilege,
    InvalidSchemaName,
    ReadOnlySqlTransaction,
)
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.orm import Session

from stempelwerk_cloud import jobs, serving
from stempelwerk_cloud.app import FILES, JOBS, KEYS, build_platform, create_app, metadata, relay_of
from stempelwerk_cloud.configuration import HIGHEST_PORT, PREFIX, Settings, unknown
from stempelwerk_cloud.fleet.updates import commands as updates
from stempelwerk_cloud.kit.clock import SystemClock, SystemIds
from stempelwerk_cloud.kit.database import postgres, schema
from stempelwerk_cloud.kit.database.postgres import RoleMissing
from stempelwerk_cloud.kit.database.row_security import RoleCreationDenied
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database, UnusableDatabase
from stempelwerk_cloud.kit.mail import UnusableMailServer, mailer_of
from stempelwerk_cloud.kit.operations import (
    backup,
    connections,
    data_folder,
    faults,
    in_use,
    kept_files,
    key_registry,
    logs,
    probing_mail,
    process,
    service_time,
)
from stempelwerk_cloud.kit.security import passwords, private
from stempelwerk_cloud.kit.security.key_files import KeyUnusable
from stempelwerk_cloud.people.audit import actions as operator_actions
from stempelwerk_cloud.people.audit import operators
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.tables import SUBJECT_LIMIT
from stempelwerk_cloud.people.directory.tables import FOUNDER, PROTECTIONS
from stempelwerk_cloud.people.users import commands
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work


class Refused(Exception):
    """An expected error of a command. The message is one line for the operator; the exit status is 1."""


class NotForced(Refused):
    """A command that would overwrite existing data, and was not forced to. The exit status is 2."""


_REFUSALS = (
    Refused,
    in_use.InUse,
    UnusableDatabase,
    UnusableMailServer,
    data_folder.UnusableFolder,
    probing_mail.NotSent,
    RoleMissing,
    postgres.PoolerRefused,
    data_folder.NetworkShare,
    RoleCreationDenied,
    schema.MigrationRefused,
    schema.TablesLocked,
    backup.BackupRefused,
    serving.PortTaken,
    commands.ProtectedRefused,
    KeyUnusable,
)


_WAY_OUT: dict[object, str] = {
    InsufficientPrivilege: "",
    ReadOnlySqlTransaction: " Name the server that takes writes; or is default_transaction_read_only set for its user?",
    InvalidSchemaName: " As a superuser run 'GRANT USAGE, CREATE ON SCHEMA public TO' its user, in that database.",
    IdleInTransactionSessionTimeout: " As a superuser run 'ALTER ROLE … SET idle_in_transaction_session_timeout = 0'.",
}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command that the arguments (by default the process's) name; returns the process's exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.run is not _serve:  # which writes it into its log
            _name_unknown_settings()
        options.run(options)
    except Exception as error:
        wrong = _what_is_wrong(error)
        if wrong is None:
            raise
        mark = logs.priority("error") if logs.stderr_is_the_journal() else ""
        print("\n".join(mark + line for line in wrong.splitlines()), file=sys.stderr)
        return 2 if isinstance(error, NotForced | in_use.InUse) else 1
    return 0


def _name_unknown_settings() -> None:
    for name, nearest in unknown(os.environ).items():
        print(f"{name} is no setting" + (f": is {nearest} meant?" if nearest else "."), file=sys.stderr)


def _what_is_wrong(error: Exception) -> str | None:
    """Returns the sentences that explain an expected error to the operator; None for any other error."""
    match error:
        case OperationalError() | psycopg.OperationalError():
            cause = error.orig if isinstance(error, OperationalError) else error
            return f"The database does not answer: {str(cause).splitlines()[0]}"
        case DBAPIError(orig=orig) if type(orig) in _WAY_OUT:
            return f"The database refuses: {str(orig).splitlines()[0]}.{_WAY_OUT[type(orig)]}"
        case ProgrammingError(statement=None, orig=psycopg.Error(sqlstate=None)):  # before there is a connection
            return f"{PREFIX}DATABASE_URL cannot be used: {str(error.orig).splitlines()[0]}."
        case ValidationError(title=Settings.__name__):
            # Without the value, which may be a secret.
            return "\n".join(f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}." for each in error.errors())
        case OSError() if not isinstance(error, _REFUSALS):
            return f"{error.filename or 'The system says'}: {error.strerror or error}."
    return str(error) if isinstance(error, _REFUSALS) else None


_EPILOG = (
    "Settings come from the environment, STEMPELWERK_DATABASE_URL, STEMPELWERK_DATA_DIR and others: 'Settings' in"
    " docs/operations.md lists them. The package's stand in /etc/stempelwerk-cloud/cloud.env."
)
_PROTECTED = "the name of somebody whom create-founder made"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="stempelwerk-cloud", description="The service behind clocks and pages.", epilog=_EPILOG
    )
    program = "stempelwerk-cloud"
    parser.add_argument("--version", action="version", version=f"{program} {version(program)}")
    commands = parser.add_subparsers(required=True, metavar="command")

    serve = commands.add_parser("serve", help="run the service; an embedded database migrates itself first")
    serve.add_argument("--host", type=_host, default="127.0.0.1", help="where it listens (127.0.0.1)")
    serve.add_argument("--port", type=_port, default=8000, help="0 to 65535 (8000)")
    serve.add_argument("--workers", type=_count, default=1, help="processes; more than one needs PostgreSQL")
    serve.add_argument("--metrics-port", type=_port, help="serve Prometheus metrics there, counted up by process")
    serve.add_argument("--metrics-host", type=_host, default="127.0.0.1", help="the same for metrics (127.0.0.1)")
    for handed in ("--fd", "--metrics-fd", "--ready-fd"):  # from the first process to a worker
        serve.add_argument(handed, type=int, help=argparse.SUPPRESS)
    serve.set_defaults(run=_serve)

    migrate = commands.add_parser("migrate", help="bring the database to the newest schema")
    migrate.set_defaults(run=_migrate)

    _people_commands(commands)

    confirm = commands.add_parser("confirm-time", help="say that the server's time is right, after it was doubted")
    confirm.set_defaults(run=_confirm_time)

    save = commands.add_parser("backup", help="write database and files into one file")
    save.add_argument("file", type=Path, help="a new file in a folder that is there")
    save.add_argument("--force", action="store_true", help="replace the file if it is there")
    save.add_argument("--without-keys", action="store_true", help="leave out what the encrypted rows are read by")
    save.set_defaults(run=_backup)

    restore = commands.add_parser("restore", help="fill an empty installation from a backup")
    restore.add_argument("file", type=Path, help="what 'backup' has written")
    restore.add_argument("--replace", action="store_true", help="lose what is there")
    restore.set_defaults(run=_restore)

    audit_log = commands.add_parser("verify-audit", help="detect tampering with the audit log; print its heads")
    audit_log.add_argument("--heads", type=Path, help="what this command printed earlier, and must still hold")
    audit_log.set_defaults(run=_verify_audit)

    forget = commands.add_parser("forget-key", help="let a key that is gone for good be made anew")
    forget.add_argument("name", choices=sorted(KEYS), help="the file in the data folder")
    forget.set_defaults(run=_forget_key)

    test_mail = commands.add_parser("test-mail", help="send a mail, to see that the mail server takes it")
    test_mail.add_argument("address", help="to whom it goes")
    test_mail.set_defaults(run=_test_mail)

    update_key = commands.add_parser("update-key", help="print the key that a root of updates has to name")
    update_key.add_argument("--new", action="store_true", help="make another one, used once a root names it")
    update_key.set_defaults(run=_update_key)

    openapi = commands.add_parser("openapi", help="print the description of the web API")
    openapi.add_argument("--out", type=Path, help="write it there instead")
    openapi.set_defaults(run=_openapi)
    return parser


def _people_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the commands that create, reset and remove protected people: system administrators that no page can
    change.
    """
    founder = commands.add_parser("create-founder", help="make a system administrator whom no page can change")
    founder.add_argument("--username", required=True, help="the new login's name")
    founder.add_argument("--password-stdin", action="store_true", required=True, help="read the password from stdin")
    founder.add_argument(
        "--protected-as", choices=PROTECTIONS, default=FOUNDER, help="IT makes no system administrators"
    )
    founder.set_defaults(run=_create_founder)

    reset = commands.add_parser("reset-protected", help="a new password, without second factor, for such a person")
    reset.add_argument("--username", required=True, help=_PROTECTED)
    reset.add_argument("--password-stdin", action="store_true", required=True, help="read the password from stdin")
    reset.set_defaults(run=_reset_protected)

    remove = commands.add_parser("remove-protected", help="end the login of such a person")
    remove.add_argument("--username", required=True, help=_PROTECTED)
    remove.set_defaults(run=_remove_protected)


def _host(text: str) -> str:
    """Returns an address or a name; an IPv6 address without the brackets of URLs."""
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to {HIGHEST_PORT}")
    return number


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes: 1 or more")
    return number


@private.owner_only()
def _serve(options: argparse.Namespace) -> None:
    if options.fd is not None:
        serving.work(options.fd, options.metrics_fd, options.ready_fd)
        return
    notifier, workers = process.take_over(), options.workers
    serving.log_unknown_settings()
    settings = Settings()
    # Refused here once, and not by workers again and again.
    mailer_of(settings, SystemClock(), SystemIds())
    first = None if options.metrics_port is None else serving.Address(options.metrics_host, options.metrics_port)
    # Its one connection holds the lock; the processes that serve have their own.
    database = Database(settings.database_url, pool_size=1)
    with ExitStack() as stack:
        stack.callback(database.dispose)
        _refuse_places(settings, database)
        limits = connections.limits_of(database)
        # Before anything is migrated, which the service that runs there could not work with.
        stack.enter_context(in_use.serving(database))
        _make_ready(settings, workers=workers)
        listener = stack.enter_context(serving.bind(serving.Address(options.host, options.port)))
        metrics = [stack.enter_context(server) for server in serving.bind_metrics(first, workers)]
        serving.log_missing_settings(settings)
        _log_faults(settings)
        connections.warn_if_too_few(limits, settings.database_pool, workers)
        if workers > 1:
            serving.Workers(listener, workers, metrics, notifier).run()
        else:
            serving.serve(listener, metrics[0] if metrics else None, notifier.tell)


def _log_faults(settings: Settings) -> None:
    platform = build_platform(settings)
    with platform.database:
        key_registry.look_after(platform.database, settings.data_dir, KEYS)
        service_time.observe(platform)
        faults.log_all(platform)


def _make_ready(settings: Settings, *, workers: int = 1) -> None:
    database = Database(settings.database_url)
    _refuse_places(settings, database)
    private.restrict_folder(settings.data_dir)
    try:
        if database.dialect == "sqlite":
            if workers > 1:
                raise Refused("Several processes need PostgreSQL: an embedded database is served by one.")
            schema.migrate(database)
        elif schema.current(database) != schema.head():
            raise Refused("The database's schema is not current: run 'stempelwerk-cloud migrate' first.")
    finally:
        database.dispose()


def _refuse_places(settings: Settings, database: Database) -> None:
    """Refuses a pooler that keeps no sessions, a new embedded database on a network share, and an unusable folder."""
    if database.dialect == "postgresql":
        postgres.refuse_pooler(database.engine.url)
    elif database.engine.url.database is not None:
        data_folder.refuse_share(Path(database.engine.url.database))
    data_folder.try_out(settings.data_dir)


@private.owner_only()
def _migrate(_options: argparse.Namespace) -> None:
    settings = Settings()
    database = Database(settings.database_url, as_owner=True)
    path = Path(database.engine.url.database or "")
    if "database_url" not in settings.model_fields_set and not path.exists():
        raise Refused(f"{PREFIX}DATABASE_URL is not set, and there is no {path} here: name the database to migrate.")
    _refuse_places(settings, database)
    private.restrict_folder(settings.data_dir)
    try:
        schema.migrate(database)
    finally:
        database.dispose()


@private.owner_only()
def _create_founder(options: argparse.Namespace) -> None:
    username = _username(options)
    password_hash = _hash_of_password(username)
    with _installation() as work:
        commands.create(work, username, password_hash, options.protected_as)


@private.owner_only()
def _reset_protected(options: argparse.Namespace) -> None:
    username = _username(options)
    password_hash = _hash_of_password(username)
    with _installation() as work:
        commands.reset(work, username, password_hash)


@private.owner_only()
def _remove_protected(options: argparse.Namespace) -> None:
    username = _username(options)
    with _installation() as work:
        commands.remove(work, username)


@private.owner_only()
def _confirm_time(_options: argparse.Namespace) -> None:
    settings, now = Settings(), SystemClock().now()
    _make_ready(settings)
    with Database(settings.database_url) as database:
        previous = service_time.confirm(database, now, _noting(operator_actions.TIME_CONFIRMED))
    suffix = "" if previous is None else f", after {previous.trusted_at:%Y-%m-%d %H:%M} UTC"
    print(f"It is {now:%Y-%m-%d %H:%M} UTC{suffix}: what is over by that is removed from now on.")


def _username(options: argparse.Namespace) -> str:
    username: str = options.username
    with _utf_8("username"):
        username.encode()
    if not username.strip():
        raise Refused("The username is missing.")
    return username


def _hash_of_password(username: str) -> str:
    """Reads the password from a line of stdin, and returns its hash."""
    with _utf_8("password"):
        password = sys.stdin.readline().rstrip("\r\n")
        password.encode()
    if passwords.length_refusal(password) is not None:
        raise Refused(f"The password must have {passwords.MIN_LENGTH} to {passwords.MAX_LENGTH} characters.")
    if passwords.find_refusal(password, [username]) is not None:
        raise Refused("The password is guessed first: it is a common one, or a name. Choose three unrelated words.")
    return passwords.hash_password(password)


@contextmanager
def _utf_8(subject: str) -> Iterator[None]:
    """Converts a UnicodeError of the block to Refused: the operator gave `subject` in another encoding than UTF-8."""
    try:
        yield
    except UnicodeError:
        raise Refused(f"The {subject} is not UTF-8.") from None


@contextmanager
def _installation() -> Iterator[UnitOfWork]:
    """Begins a unit of work for a command, with access to all companies.

    The serving processes receive its live events through PostgreSQL. An embedded database is migrated first; its
    serving process notices ended sessions at the next beat of its event streams (`kit/live/hub.py`).
    """
    settings = Settings()
    _make_ready(settings)
    platform = build_platform(settings)
    with ExitStack() as stack:
        stack.callback(platform.database.dispose)
        relay = relay_of(platform)
        if relay is not None:
            relay.start()
            stack.callback(relay.stop)
        with unit_of_work(platform, SYSTEM, is_command=True) as work:
            yield work


def _noting(action: Action, subject: str | None = None) -> Callable[[Session], None]:
    """Returns a function that writes the action into the operator log, in the transaction that it is called with."""

    def note(session: Session) -> None:
        operators.note(session, SystemIds(), SystemClock().now(), operators.SERVER, action, subject=subject)

    return note


@private.owner_only()
def _backup(options: argparse.Namespace) -> None:
    if options.file.is_dir():
        raise NotForced(f"{options.file} is a folder: name a file in it.")
    exists_error = NotForced(f"{options.file} is there already: choose another name, or replace it with --force.")
    if options.file.exists() and not options.force:
        raise exists_error
    settings = Settings()
    database = Database(settings.database_url)
    path = database.engine.url.database
    if database.dialect == "sqlite" and path is not None and not Path(path).exists():
        raise Refused(f"There is no database {path} yet.")
    files = frozenset(name for name in FILES if name.endswith("/") or not options.without_keys)
    sound = {} if options.without_keys else KEYS
    try:
        counts = backup.backup(
            database, metadata(), settings.data_dir, options.file, files=files, keys=sound, replace=options.force
        )
    except FileExistsError:
        raise exists_error from None
    finally:
        database.dispose()
    print(f"{counts.rows} rows and {counts.files} files written to {options.file}")
    keys, other_names = ([name for name in counts.left_out if (name in FILES) == is_own] for is_own in (True, False))
    if keys:
        print(f"Without its keys ({', '.join(keys)}): keep them elsewhere, or nothing encrypted in it can be read.")
    if other_names:
        print(kept_files.sentence(other_names), file=sys.stderr)


@private.owner_only()
def _restore(options: argparse.Namespace) -> None:
    if options.file.is_dir():
        raise Refused(f"{options.file} is a folder: name the backup in it.")
    if not options.file.is_file():
        raise Refused(f"There is no file {options.file}.")
    settings = Settings()
    database = Database(settings.database_url, as_owner=True)
    _refuse_places(settings, database)
    try:
        counts = backup.restore(database, settings.data_dir, options.file, replace=options.replace, keys=KEYS)
        newest = updates.newest_signed(database)
    finally:
        database.dispose()
    platform = build_platform(settings)
    try:
        is_noted = _note_restore(platform.database, _printable(options.file.name))
        key_faults = key_registry.look_after(platform.database, settings.data_dir, KEYS)
        watch = service_time.observe(platform)
        failed = jobs.remove_over(platform, JOBS) if watch.doubted_at is None else []
    finally:
        platform.database.dispose()
    print(f"{counts.rows} rows and {counts.files} files restored from {_printable(str(options.file))}")
    if newest is not None:
        print(f"Publish again what was published or withdrawn of updates since {newest:%Y-%m-%d %H:%M} UTC.")
    if counts.left_out:
        print(f"Left out, for the backup holds no key in them: {', '.join(counts.left_out)}.", file=sys.stderr)
    for fault in key_faults:
        print(fault.sentence, file=sys.stderr)
    if watch.doubted_at is not None:
        raise Refused(
            f"All is there, and so is what is over by its date, for the backup's last time is"
            f" {watch.trusted_at:%Y-%m-%d %H:%M} UTC and this server's {watch.doubted_at:%Y-%m-%d %H:%M}. If that is"
            " right, run 'stempelwerk-cloud confirm-time': the service then removes it."
        )
    if failed:
        raise Refused(
            f"All is there, and so is what is over by its date: removing it failed ({', '.join(failed)}; the log says"
            " why). The service tries again by itself."
        )
    if key_faults or counts.left_out:
        raise Refused("All is there but the keys that are named above.")
    if not is_noted:
        raise Refused("All is there but the row of this restore in the operator log: the database refused it.")


def _note_restore(database: Database, name: str) -> bool:
    """Writes the restore from file `name` into the operator log; returns False if the database refuses the row."""
    try:
        with database.write(SYSTEM) as session:
            _noting(operator_actions.RESTORED, name[:SUBJECT_LIMIT])(session)
    except DBAPIError:
        return False
    return True


def _printable(name: str) -> str:
    """Replaces the bytes of a file's name that are no UTF-8, which neither a database nor a terminal takes."""
    return name.encode(errors="replace").decode()


@private.owner_only()
def _update_key(options: argparse.Namespace) -> None:
    settings = Settings()
    _make_ready(settings)
    update_key = {updates.KEY_FILE: KEYS[updates.KEY_FILE]}
    with Database(settings.database_url) as database:
        for fault in key_registry.look_after(database, settings.data_dir, update_key):
            raise Refused(fault.sentence)
        if options.new:
            with database.write(SYSTEM) as session:  # no new key without its row
                _noting(operator_actions.KEY_MADE, updates.KEY_FILE)(session)
                session.flush()  # a row that the database refuses leaves the file as it is
                public = updates.public_key(settings, renew=True)
        else:
            public = updates.public_key(settings, renew=False)
        # Known from now on: a root will name it.
        key_registry.look_after(database, settings.data_dir, update_key)
    print(public)


@private.owner_only()
def _forget_key(options: argparse.Namespace) -> None:
    settings = Settings()
    _make_ready(settings)
    with Database(settings.database_url) as database:
        note = _noting(operator_actions.KEY_FORGOTTEN, options.name)
        key_registry.forget(database, settings.data_dir / options.name, note)
    print(f"{options.name} is made anew when it is needed, or the one that lies there is used. Restart the service.")


def _verify_audit(options: argparse.Namespace) -> None:
    expected = {} if options.heads is None else _read_heads(options.heads)
    database = Database(Settings().database_url)
    try:
        if schema.current(database) != schema.head():
            raise Refused("The database's schema is not current: run 'stempelwerk-cloud migrate' first.")
        with database.read(SYSTEM) as session:
            verification = audit.verify(session, expected)
    finally:
        database.dispose()
    for company_id, (count, head) in verification.heads.items():
        print(company_id, count, head)
    if verification.broken is not None:
        raise Refused(f"The audit log is broken: {verification.broken}")


def _read_heads(file: Path) -> dict[str, tuple[int, str]]:
    """Reads a file of lines "company count head", as `verify-audit` prints them; returns count and head by company
    id.
    """
    try:
        lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return {company_id: (int(count), head) for company_id, count, head in lines}
    except ValueError:
        raise Refused(f"{file} does not hold what 'stempelwerk-cloud verify-audit' prints.") from None


def _test_mail(options: argparse.Namespace) -> None:
    with _utf_8("address"):
        options.address.encode()
    settings = Settings()
    probing_mail.send(settings, options.address)
    print(f"A mail to {options.address} is with the mail server.")


def _openapi(options: argparse.Namespace) -> None:
    app = create_app()
    text = json.dumps(app.openapi(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    if options.out is None:
        sys.stdout.write(text)
    else:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text, encoding="utf-8")
