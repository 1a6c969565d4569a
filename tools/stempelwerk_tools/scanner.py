"""`stempelwerk scanner`: talks to one scanner over its serial line, in place of a clock.

It shows a scanner's state and log, and takes nothing: no tap is acknowledged. For an adopted scanner it needs the key,
which is in its clock's journal (`--data-dir`). `adopt` adopts a scanner for a clock whose program does not run; the key
is in the journal before the scanner has it.
"""

import errno
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import serial
from stempelwerk_edge.errors import EdgeError
from stempelwerk_edge.machine.clock import SystemClock, SystemIds
from stempelwerk_edge.machine.instance import sole_instance
from stempelwerk_edge.satellites import frames
from stempelwerk_edge.satellites.frames import Frame, Kind
from stempelwerk_edge.satellites.registry import Registry
from stempelwerk_edge.satellites.session import Line, Talk
from stempelwerk_edge.storage.journal import FOLDER_NAME, Journal
from stempelwerk_edge.storage.rescue import copied
from stempelwerk_edge.storage.salvage import FILE_NAME

from .german import GermanParser

_BAUD = 115_200
_PATIENCE_S = 45.0  # a scanner that was in a session notices after half a minute that the session is dead
_TAPS_S = 2.5  # a window of taps is repeated every second

_NO_LINE = "{} lässt sich nicht als serielle Leitung öffnen."
_CLOSED = {
    errno.ENOENT: "{} gibt es nicht: Steckt der Scanner in der Basis, und ist sie an?",
    errno.EACCES: "{} darf dieser Benutzer nicht öffnen: mit sudo noch einmal.",
    errno.EAGAIN: "An {} spricht schon ein anderes Programm, etwa die Uhr: erst systemctl stop stempelwerk-edge.",
}


class Silent(Exception):
    """No scanner answers on the line, or it belongs to another clock; the text gives the reason."""


class Visit:
    """A session with the scanner at the end of `port`. `key_of` returns an adopted scanner's key by its serial, or
    None.
    """

    def __init__(self, port: Any, key_of: Callable[[str], bytes | None]) -> None:
        self._port = port
        self._line = Line(key_of, lambda: os.urandom(frames.NONCE_BYTES))
        self.talk: Talk | None = None
        self.status: dict[str, Any] | None = None
        self.taps: dict[int, dict[str, Any]] = {}

    def talk_until(self, condition: Callable[[], object], within_s: float = _PATIENCE_S) -> bool:
        """Talks until the condition holds; False after the timeout."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            for talk, frame, members in self._line.feed(self._port.read(max(1, self._port.in_waiting))):
                self._heard(talk, frame, members)
            if condition():
                return True
        return False

    def _heard(self, talk: Talk, frame: Frame, members: dict[str, Any]) -> None:
        self.talk = talk
        if frame.kind == Kind.HELLO:
            unknown_time = {"wall": int(time.time() * 1000), "quality": "none", "committedEpoch": 0, "committedSeq": 0}
            self.send(Kind.WELCOME, nonce=talk.session.clock_nonce, **unknown_time)
        elif frame.kind == Kind.STATUS:
            self.status = members
            self.send(Kind.TIME, wall=int(time.time() * 1000), quality="none", tick=members["tick"])
        elif frame.kind == Kind.TAP:
            self.taps[frame.seq] = members

    def send(self, kind: Kind, **members: Any) -> None:
        """Sends a message to the scanner that was heard last."""
        assert self.talk is not None
        self._port.write(self.talk.make_frame(kind, **members))

    def meet(self) -> dict[str, Any]:
        """Waits for the scanner's state. Raises Silent."""
        if not self.talk_until(lambda: self.status is not None):
            stranger = self._line.stranger
            foreign_hint = f"Der Scanner {stranger} gehört zu einer Uhr, deren Schlüssel hier fehlt (--data-dir)."
            raise Silent(foreign_hint if stranger else "An dieser Leitung meldet sich kein Scanner.")
        assert self.status is not None
        return self.status


def describe_state(talk: Talk, status: dict[str, Any]) -> list[str]:
    """Returns lines of German text that describe a scanner's state."""
    hello = talk.hello
    battery = "ohne" if status["percent"] > 100 else f"{status['percent']} % ({status['battery']} mV)"
    return [
        f"Scanner    {hello['serial']} ({hello['board']}, {hello['version']})",
        f"Gehört     {'zu dieser Uhr' if talk.adopted else 'niemandem'}",
        f"Akku       {battery}{', lädt' if status['charging'] else ''}",
        f"Leser      {status['reader']}",
        f"Speicher   {status['used']} von {status['capacity']}, {status['overflow']} abgewiesen",
        f"Läuft seit {status['tick'] // 1000} s",
    ]


def main(argv: Sequence[str]) -> int:
    """Runs the command."""
    parser = GermanParser(prog="stempelwerk scanner", description="Spricht an der seriellen Leitung mit einem Scanner.")
    parser.add_argument("what", choices=("state", "log", "adopt"), help="Zustand, was auf ihm wartet, oder übernehmen")
    parser.add_argument("--port", required=True, help="die Leitung, zum Beispiel /dev/ttyACM0")
    parser.add_argument("--data-dir", type=Path, help="der Ordner der Uhr, zu der er gehört oder gehören soll")
    parser.add_argument("--name", default="Scanner", help="wie er bei der Uhr heißt")
    options = parser.parse_args(argv)
    if options.what == "adopt" and options.data_dir is None:
        parser.error("adopt braucht --data-dir")
    try:
        return _visit(options.what, options.port, options.data_dir, options.name)
    except (Silent, OSError, serial.SerialException, sqlite3.Error, EdgeError) as fault:
        print(fault, file=sys.stderr)
        return 1


def _visit(action: str, path: str, data_dir: Path | None, name: str) -> int:
    keys = {} if data_dir is None else _keys(data_dir)
    with _open_line(path) as port:
        visit = Visit(port, keys.get)
        status = visit.meet()
        talk = visit.talk
        assert talk is not None
        if action == "adopt":
            assert data_dir is not None
            _adopt(visit, talk, data_dir, name)
        elif action == "log":
            visit.talk_until(lambda: False, _TAPS_S)
            for seq, tap in sorted(visit.taps.items()):
                print(f"{seq:>6}  {tap['boot']}  {tap['tick'] / 1000:>12.3f} s  {tap['uid'].hex().upper()}")
            remaining = status["used"] - len(visit.taps)
            print(f"und {remaining} weitere" if remaining > 0 else "mehr nicht")
        else:
            print("\n".join(describe_state(talk, status)))
    return 0


def _open_line(path: str) -> serial.Serial:
    """Opens the scanner's serial line for this process only. Raises Silent, with the reason, if it does not open."""
    try:
        return serial.Serial(path, _BAUD, timeout=0.05, write_timeout=1, exclusive=True)
    except serial.SerialException as fault:
        raise Silent(_CLOSED.get(fault.errno, _NO_LINE).format(path)) from fault


def _keys(data_dir: Path) -> dict[str, bytes]:
    """Reads the keys in a copy of a clock's journal, so that the clock may run."""
    journal = data_dir / FOLDER_NAME / FILE_NAME
    if not journal.exists():
        return {}
    with TemporaryDirectory() as scratch, closing(sqlite3.connect(copied(journal, Path(scratch)))) as database:
        return {serial: bytes(key) for serial, key in database.execute("SELECT serial, key FROM scanners")}


def _adopt(visit: Visit, talk: Talk, data_dir: Path, name: str) -> None:
    """Adopts the scanner for this clock. Raises Silent if the clock runs as well: then it adopts on its own."""
    if talk.adopted:
        print("Er gehört schon zu dieser Uhr.")
        return
    with sole_instance(data_dir) as alone:
        if not alone:
            raise Silent("Diese Uhr läuft: dort stempelwerk-edge adopt aufrufen und den Scanner in die Basis stecken.")
        journal = Journal(data_dir, SystemIds(SystemClock()), lambda *_: None)
        try:
            key = Registry(journal).store_key(talk.serial, name, os.urandom(frames.KEY_BYTES))
        finally:
            journal.close()
    talk.key_offered = key
    visit.send(Kind.ADOPT, key=key, name=name)
    if not visit.talk_until(lambda: talk.adopted):
        raise Silent("Er hat nicht geantwortet. Noch einmal versuchen; der Schlüssel bleibt derselbe.")
    print(f"{talk.serial} gehört jetzt zu dieser Uhr.")
