"""The command `rescue`: brings the content of an old clock's card into this clock's journal, and reports in plain words
how much that is.

It is meant for the person who has replaced a clock, therefore German. The card is only read. The clock must not run: it
keeps in memory what its journal holds. Everything is taken in one transaction, so a command that was cut off is simply
repeated.
"""

import os
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TextIO

from stempelwerk_edge.configuration import Settings
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.german import reason_of
from stempelwerk_edge.machine.clock import SystemClock, SystemIds
from stempelwerk_edge.machine.instance import keep_private, sole_instance
from stempelwerk_edge.mounts import connect_lasting
from stempelwerk_edge.storage import rescue
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.rescue import Taken
from stempelwerk_edge.storage.salvage import Rescued

_NEXT = (
    "Geliefert wird es, sobald die Stempeluhr wieder läuft. Gebucht wird es, wenn sie in der Cloud das Ersatzgerät der "
    "alten ist; bis dahin wartet es dort beim Betreiber (held_assignment)."
)


class _Refused(Exception):
    """Nothing was taken from the card; the text is the reason."""


def run_rescue(card: Path, settings: Settings, out: TextIO) -> int:
    """Takes over the card's content. Returns 0 if it was legible as a whole, else 1 (after a refusal nothing was
    taken).
    """
    try:
        rescued = _read(card, settings.data_dir)
        outcome = _take(settings.data_dir, rescued)
    except _Refused as refused:
        print(refused, file=out)
        return 1
    for line in _lines(outcome):
        print(line, file=out)
    return 1 if outcome.illegible else 0


def _read(card: Path, directory: Path) -> Rescued:
    try:
        file = rescue.journal_on(card)
        if file is None:
            raise _Refused(
                f"Unter {card} liegt kein Journal einer Stempeluhr. Ist die Karte eingehängt (sudo mount -o ro GERÄT "
                f"{card})? Es liegt auf ihr unter var/lib/stempelwerk-edge/journal."
            )
        if directory.resolve() in file.resolve().parents:
            raise _Refused(f"{card} ist der Speicher dieser Stempeluhr selbst.")
        with tempfile.TemporaryDirectory(prefix="stempelwerk-rescue-") as scratch:
            rescued = rescue.read_copy(file, Path(scratch), connect_sqlite)
    except OSError as fault:
        hint = " Als root geht es: sudo stempelwerk-edge rescue" if isinstance(fault, PermissionError) else ""
        raise _Refused(f"{card} lässt sich nicht lesen: {reason_of(fault)}.{hint}") from fault
    if not (rescued.stamps or rescued.answers or rescued.malformed or rescued.scanners):
        raise _Refused(
            f"In {file} ist kein Stempel zu lesen. Ist es die Karte der alten Uhr? Wenn ja, heb sie auf: Das Journal "
            "ist leer oder zu beschädigt für diesen Befehl."
        )
    return rescued


def _take(directory: Path, rescued: Rescued) -> Taken:
    ids = SystemIds(SystemClock())
    try:
        _become_owner(directory)
        with sole_instance(directory) as alone:
            if not alone:
                raise _Refused("Die Stempeluhr läuft. Halte sie dafür an: sudo systemctl stop stempelwerk-edge")
            keep_private(directory)
            with closing(Journal(directory, ids, lambda *_: None, connect_lasting)) as journal:
                return journal.write(partial(rescue.take, card=rescued, new_id=ids.new))
    except (OSError, JournalError) as fault:
        sentence = f"Der Speicher dieser Stempeluhr nimmt nichts auf ({fault}). Es ist noch nichts übernommen."
        raise _Refused(sentence) from fault


def _become_owner(directory: Path) -> None:
    """Gives the files in the folder to the clock's user: the command runs as root, but the clock's program must own
    them.
    """
    if os.geteuid() == 0 and directory.exists():
        owner = directory.stat()
        if owner.st_uid != 0:
            os.setgroups([])
            os.setgid(owner.st_gid)
            os.setuid(owner.st_uid)


def _lines(outcome: Taken) -> list[str]:
    lines = [
        f"{outcome.stamps} Stempel übernommen, {outcome.duplicates} waren schon da,"
        f" {outcome.illegible} sind nicht lesbar."
    ]
    if outcome.answers:
        lines.append(f"Antworten auf ein fehlendes Gehen übernommen: {outcome.answers}.")
    if outcome.scanners:
        lines.append(f"Scanner übernommen: {outcome.scanners}.")
    return [*lines, _NEXT]
