"""The registry of the data folder's keys: it recognises them by fingerprints in the database.

A key that once existed and is missing is never replaced silently: the data that it encrypted could not be read any
more. Deliberately not here: reading and making keys (`kit/security/key_files.py`).
"""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations.tables import KeyFingerprint
from stempelwerk_cloud.kit.security import key_files
from stempelwerk_cloud.kit.security.key_files import Identify

State = Literal["damaged", "unreadable", "lost", "foreign"]
_WRONG: dict[State, str] = {
    "damaged": "is damaged or empty",
    "lost": "is missing, though this installation has used it",
    "foreign": "is another key than this installation has used",
}


class KeyFault(NamedTuple):
    path: Path
    state: State

    @property
    def give_back(self) -> str:
        """The shell command that gives an unreadable key file to the owner of its folder."""
        return f"chown --reference={shlex.quote(str(self.path.parent))} {shlex.quote(str(self.path))}"

    @property
    def sentence(self) -> str:
        """The fault and its remedy in one line for the operator."""
        if self.state == "unreadable":
            return f"{self.path} cannot be read by this user: as root run '{self.give_back}'."
        return key_files.way_out(self.path, _WRONG[self.state])


def find(session: Session, folder: Path, keys: Mapping[str, Identify]) -> list[KeyFault]:
    """Returns the faults of these key files. `keys`: by file name, the function that returns the fingerprint."""
    fingerprints = {row.name: row.fingerprint for row in session.scalars(select(KeyFingerprint))}
    faults = []
    for name, identify in keys.items():
        path = folder.absolute() / name
        state = _state_of(path, identify, fingerprints.get(name))
        if state is not None:
            faults.append(KeyFault(path, state))
    return faults


def look_after(database: Database, folder: Path, keys: Mapping[str, Identify]) -> list[KeyFault]:
    """Stores the fingerprints of new keys, marks lost keys, and returns the faults. Raises OSError."""
    with database.read(SYSTEM) as session:
        recorded = set(session.scalars(select(KeyFingerprint.name)))
        faults = find(session, folder, keys)
    for fault in faults:
        if fault.state == "lost":
            key_files.mark_lost(fault.path)
    sound = {name: folder / name for name in keys.keys() - recorded - {fault.path.name for fault in faults}}
    fingerprints = {name: keys[name](path.read_bytes().strip()) for name, path in sound.items() if path.exists()}
    if fingerprints:
        with database.write(SYSTEM) as session:
            rows = [{"name": name, "fingerprint": fingerprint} for name, fingerprint in fingerprints.items()]
            session.execute(upsert(session, KeyFingerprint).values(rows).on_conflict_do_nothing())
    return faults


def forget(database: Database, path: Path, note: Callable[[Session], None]) -> None:
    """Forgets a lost key, so that another or a new one is accepted. `note` logs this in the same transaction. Raises
    OSError.
    """
    with database.write(SYSTEM) as session:
        note(session)
        session.execute(delete(KeyFingerprint).where(KeyFingerprint.name == path.name))
    key_files.forget_lost(path)


def _state_of(path: Path, identify: Identify, recorded: str | None) -> State | None:
    try:
        fingerprint = identify(path.read_bytes().strip())
    except FileNotFoundError:
        return None if recorded is None else "lost"
    except PermissionError:
        return "unreadable"
    except OSError:  # such as a folder of that name
        return "damaged"
    except ValueError:
        return "damaged"
    return None if recorded in (None, fingerprint) else "foreign"
