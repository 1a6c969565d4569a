"""Faults of the installation itself, such as a lost key: found for the log, the health check, the metrics and the
operator's alarms.
"""

from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

import structlog
from sqlalchemy import text
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.german import day_in_table
from stempelwerk_cloud.kit.operations import data_folder, key_registry, service_time
from stempelwerk_cloud.kit.platform import Platform

Kind = Literal["time", "keys", "collation", "share", "space", "expired", "expiring"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


_KEY_WORDS: Final[dict[key_registry.State, str]] = {
    "damaged": "ist beschädigt oder leer",
    "lost": "fehlt",
    "foreign": "ist eine andere als bisher",
}


_CHANGED_COLLATION = text(
    "SELECT datname, datcollversion, pg_database_collation_actual_version(oid) FROM pg_database"
    " WHERE datname = current_database() AND datcollversion IS NOT NULL"
    " AND datcollversion IS DISTINCT FROM pg_database_collation_actual_version(oid)"
)


HINTS: Final[dict[Kind, str]] = {
    "time": service_time.HINT,
    "keys": "bring the file back from a backup; where none has it: 'stempelwerk-cloud forget-key'",
    "collation": "stop the service, then as the database's owner: REINDEX DATABASE and ALTER DATABASE … REFRESH"
    " COLLATION VERSION",
    "share": "move the database to a disk of this machine, or to PostgreSQL: SQLite loses data on network shares",
    "space": "make room there, or make the disk larger: once it is full, clocks keep their stamps until there is room",
    "expired": "renew the signatures of updates: docs/key-ceremony.md",
    "expiring": "renew the signatures of updates in time: docs/key-ceremony.md",
}
BY_TIME: Final[tuple[Kind, ...]] = ("expired", "expiring")
"""Kinds that are not checked while the server's time is in doubt: they neither begin nor end."""
log = structlog.get_logger(__name__)


class Fault(NamedTuple):
    """A fault of the installation. `subject`: the affected object, such as a file; `text`: a German sentence for the
    operator, with the remedy.
    """

    kind: Kind
    subject: str
    text: str


def find(platform: Platform) -> list[Fault]:
    """Returns the current faults. Raises SQLAlchemyError."""
    with platform.database.read(SYSTEM) as session:
        return [
            *_of_time(session),
            *_of_keys(platform, session),
            *_of_collation(session),
            *_of_share(platform.database),
            *_of_space(platform),
            *(fault for fault in _of_signatures(platform, session) if fault.kind == "expired"),
        ]


def find_ahead(platform: Platform) -> list[Fault]:
    """Returns the faults that will occur unless an operator acts, and those that already have. Raises
    SQLAlchemyError.
    """
    with platform.database.read(SYSTEM) as session:
        return [fault._replace(kind="expiring") for fault in _of_signatures(platform, session)]


def log_all(platform: Platform) -> None:
    """Logs all current and coming faults, at the start of the service."""
    for fault in find(platform):
        log.error("fault", kind=fault.kind, subject=fault.subject, hint=HINTS[fault.kind])
    for fault in find_ahead(platform):
        log.warning("fault_ahead", kind=fault.kind, subject=fault.subject, hint=HINTS[fault.kind])


def count(platform: Platform) -> int:
    return len(find(platform))


def _of_keys(platform: Platform, session: Session) -> list[Fault]:
    return [
        Fault(
            "keys",
            fault.path.name,
            _on_key(fault),
        )
        for fault in key_registry.find(session, platform.settings.data_dir, platform.keys)
    ]


def _on_key(fault: key_registry.KeyFault) -> str:
    path, state = fault
    if state == "unreadable":
        return (
            f"Die Schlüsseldatei {path} gehört einem anderen Benutzer, deshalb kann der Dienst sie nicht lesen. Gib sie"
            f" ihm zurück, als root: {fault.give_back}"
        )
    return (
        f"Die Schlüsseldatei {path} {_KEY_WORDS[state]}. Hol sie aus der Sicherung zurück: tar -xzf SICHERUNG"
        f" files/{path.name}. Gibt es sie nirgends mehr, leg weg, was dort liegt, und lass eine neue entstehen:"
        f" stempelwerk-cloud forget-key {path.name}"
    )


def _of_collation(session: Session) -> list[Fault]:
    """Returns a fault if the operating system now sorts texts in another way than when the database's indexes were
    made.
    """
    if session.get_bind().dialect.name != "postgresql":
        return []
    changed = session.execute(_CHANGED_COLLATION).first()
    if changed is None:
        return []
    name, recorded, actual = changed
    return [
        Fault(
            "collation",
            name,
            f"Die Datenbank {name} ist mit der Sortierung {recorded} angelegt, das System hat {actual or 'keine'}."
            " Indizes über Texte können deshalb falsch sein. Halt den Dienst an, dann als Eigentümer der Datenbank:"
            f' REINDEX DATABASE "{name}"; ALTER DATABASE "{name}" REFRESH COLLATION VERSION;',
        )
    ]


def _of_share(database: Database) -> list[Fault]:
    file = database.engine.url.database
    system = data_folder.share_of(Path(file)) if database.dialect == "sqlite" and file else None
    if system is None:
        return []
    return [
        Fault(
            "share",
            str(file),
            f"Die Datenbank {file} liegt auf einer Netzfreigabe ({system}). Dort kann SQLite Daten verlieren. Zieh mit"
            " stempelwerk-cloud backup und restore um, auf eine Platte dieses Rechners oder nach PostgreSQL.",
        )
    ]


def _of_space(platform: Platform) -> list[Fault]:
    """Returns a fault for each disk that is nearly full. PostgreSQL's disk is not checked: it may belong to another
    machine.
    """
    file = platform.database.engine.url.database
    folders = [Path(file).absolute().parent] if platform.database.dialect == "sqlite" and file else []
    folders.append(platform.settings.data_dir.absolute())
    return [
        Fault(
            "space",
            str(folder),
            f"Auf der Platte mit dem Ordner {folder} sind noch {free >> 20} MiB frei. Ist sie voll, speichert der"
            " Dienst nichts mehr; die Uhren behalten ihre Stempel, bis wieder Platz ist. Lösch dort, was nicht"
            " gebraucht wird, zum Beispiel alte Sicherungen, oder vergrößere die Platte: Es sollen immer"
            f" {data_folder.LEAST_FREE_BYTES >> 20} MiB frei sein.",
        )
        for folder, free in data_folder.on_disks_of(folders).items()
        if free < data_folder.LEAST_FREE_BYTES
    ]


def _of_signatures(platform: Platform, session: Session) -> list[Fault]:
    """Returns a fault for each signature of updates that has expired or soon will; no fault while the server's time is
    in doubt.
    """
    if service_time.is_doubted(session):
        return []
    return [
        Fault("expired" if expiry.is_over else "expiring", expiry.subject, expiry.text)
        for expiry in ports.EXPIRIES.of(platform)(session, platform, platform.clock.now())
    ]


def _of_time(session: Session) -> list[Fault]:
    watch = service_time.read(session)
    if watch is None or watch.doubted_at is None:
        return []
    now, trusted = (
        f"{day_in_table(instant.date())}, {instant:%H:%M} UTC" for instant in (watch.doubted_at, watch.trusted_at)
    )
    return [
        Fault(
            "time",
            now,
            f"Auf dem Server ist es {now}; zuletzt war es {trusted}. Bis das geklärt ist, löscht der Dienst nichts und"
            " schließt nichts ab. Stimmt die Uhrzeit, bestätige sie auf dem Server: stempelwerk-cloud confirm-time",
        )
    ]
