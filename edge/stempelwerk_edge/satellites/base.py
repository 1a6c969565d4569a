"""The clock as the base of its scanners: welcomes them, takes their taps into the journal, gives them the time.

A tap is acknowledged once its stamp is on the disk, never before. Taps of a log come in their order, so one number is
enough for the acknowledgement. Only the lines' thread calls it; `for_heartbeat` may be called from any.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from stempelwerk_edge.cloud.wire import instant_text
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.machine.clock import Quality, to_ms
from stempelwerk_edge.machine.trusted_time import Contact, Reading
from stempelwerk_edge.ports import AnswerKind
from stempelwerk_edge.satellites import frames
from stempelwerk_edge.satellites.frames import Frame, Kind
from stempelwerk_edge.satellites.registry import Registry
from stempelwerk_edge.satellites.session import Line, Members, Talk
from stempelwerk_edge.satellites.updating import Image, Updates
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.rows import Logged
from stempelwerk_edge.storage.scanned import stamp_id
from stempelwerk_edge.surroundings import Surroundings
from stempelwerk_edge.tap.tapping import Tapper

FRESH_MS = 60_000
MOST_TOLD = 24
_KEEP_EVERY_MS = 3_600_000
_IDLE_MS = 5_000
_SILENT_MS = 75_000  # it sends its status every 30 s: two of these were lost
_MOST_CONTACTS = 256
_LATEST_MS = 4 * 10**12  # the latest boottimeMs of a stamp
_ILLEGIBLE = 1
_FEEDBACK = {AnswerKind.DOUBLE_TAP: 1, AnswerKind.UNKNOWN: 2}


@dataclass(slots=True)
class _KnownScanner:
    """An adopted scanner, in memory: its key, its line while it has one, its last status."""

    name: str
    key: bytes
    last_status: dict[str, Any] | None
    forgotten: bool = False
    line: Line | None = None
    kept_ms: int = -_KEEP_EVERY_MS

    def heartbeat_part(self, serial: str) -> dict[str, Any] | None:
        """Returns the scanner's part of a heartbeat; None before its first status, or while it waits for its release
        unconnected.
        """
        if self.last_status is None or (self.forgotten and self.line is None):
            return None
        return {"serial": serial, **self.last_status, "connected": self.line is not None}


class Satellites:
    """The clock as its scanners' base. `may_adopt`: whether an unowned scanner becomes this clock's now.

    `on_adopted` gets the serial of each adopted scanner, `on_change` all scanners as the screen shows them. `images`:
    the newest for each board.
    """

    def __init__(
        self,
        journal: Journal,
        surroundings: Surroundings,
        tapper: Tapper,
        may_adopt: Callable[[], bool],
        entropy: Callable[[int], bytes] = os.urandom,
        on_adopted: Callable[[str], object] = lambda _serial: None,
        on_change: Callable[[tuple[dict[str, Any], ...]], object] = lambda _scanners: None,
        images: Mapping[str, Image] | None = None,
    ) -> None:
        self._registry = Registry(journal)
        self._time, self._report = surroundings.time, surroundings.report
        self._tapper, self._may_adopt, self._entropy = tapper, may_adopt, entropy
        self._on_adopted, self._on_change = on_adopted, on_change
        self._updates = Updates({} if images is None else images, surroundings.report)
        self._offered: set[str] = set()
        self._known: dict[str, _KnownScanner] = {}
        self._contacts: dict[str, Contact] = {}
        self._loaded = False

    def load(self) -> None:
        """Loads the adopted scanners from the journal. Raises JournalError."""
        self._known = {
            scanner.serial: _KnownScanner(scanner.name, scanner.key, scanner.last_status, scanner.forgotten)
            for scanner in self._registry.all()
        }
        self._loaded = True
        self._changed()

    def for_heartbeat(self) -> list[dict[str, Any]]:
        """Returns up to `MOST_TOLD` scanners as the heartbeat reports them, the last seen first."""
        reports = [
            report
            for serial, scanner in list(self._known.items())
            if (report := scanner.heartbeat_part(serial)) is not None
        ]
        return sorted(reports, key=lambda report: str(report["lastSeen"]), reverse=True)[:MOST_TOLD]

    def forget(self, serial: str) -> bool:
        """Releases this scanner; False if it is not this clock's. Raises JournalError. Callable from any thread.

        The scanner learns of it once it is connected here and has no tap waiting: no tap is lost. Until then it is
        hidden.
        """
        scanner = self._known.get(serial)
        if scanner is None:
            return False
        self._registry.forget(serial)
        scanner.forgotten = True
        self._report("info", "scanner_forgotten", f"the scanner {serial} is to be nobody's", {})
        self._changed()
        return True

    def _changed(self) -> None:
        """Passes all scanners to the screen: as the heartbeat has them, with name, update and whether a release is
        pending.
        """
        shown_scanners = []
        for serial, scanner in sorted(list(self._known.items())):  # noqa: C414 - another thread may add one
            report = scanner.heartbeat_part(serial)
            if report is not None:
                update = self._updates.update_state(serial, report["board"], report["version"])
                shown_scanners.append(
                    {**report, "name": scanner.name, "forgetting": scanner.forgotten, "update": update}
                )
        self._on_change(tuple(shown_scanners))

    def line(self) -> Line:
        """Returns the state of a serial line for a device that was just plugged in."""
        return Line(self._key_of, lambda: self._entropy(frames.NONCE_BYTES))

    def _key_of(self, serial: str) -> bytes | None:
        scanner = self._known.get(serial)
        return None if scanner is None else scanner.key

    def unplugged(self, line: Line) -> None:
        """Handles a line that lost its scanner, or has another one now."""
        for serial, scanner in self._known.items():
            if scanner.line is line:
                scanner.line = None
                if scanner.last_status is not None:
                    with suppress(JournalError):
                        self._registry.store_status(serial, scanner.last_status, None)
                self._updates.disconnected(serial)
        self._changed()

    def received(self, line: Line, data: bytes) -> bytes:
        """Handles bytes from a line and returns the reply. A tap that the disk refuses is not acknowledged: the scanner
        repeats it.
        """
        out, last_taken = b"", None
        for talk, frame, members in line.feed(data):
            talk.heard_ms = self._time.boottime_ms()
            with suppress(JournalError):  # the journal has reported it
                if frame.kind == Kind.HELLO:
                    out += self._welcome(talk)
                elif frame.kind == Kind.STATUS and talk.adopted:
                    out += self._status(line, talk, members)
                elif frame.kind == Kind.UPDATE_STATE and talk.met:
                    out += self._updates.answered(talk, members, self._time.boottime_ms())
                elif frame.kind == Kind.TAP and talk.met and frame.epoch == talk.epoch:
                    answer, seq = self._tapped(talk, frame, members)
                    out += answer
                    last_taken = (talk, frame.epoch, seq) if seq else last_taken
        if last_taken is not None:
            talk, epoch, seq = last_taken
            out += talk.make_frame(Kind.ACK, epoch, seq)
        return out

    # ---- sessions

    def _welcome(self, talk: Talk) -> bytes:
        taken_to = _taken_up_to(talk, *self._registry.read_progress(talk.serial, talk.epoch)) if talk.adopted else 0
        committed = {"committedEpoch": talk.epoch if taken_to else 0, "committedSeq": taken_to}
        return talk.make_frame(Kind.WELCOME, nonce=talk.session.clock_nonce, **committed, **self._time_members())

    def offer(self, line: Line) -> bytes:
        """Returns the messages that are due at this line once a second: adoption, a new image, release.

        Raises JournalError.
        """
        if not self._loaded:  # the disk refused at the start
            self.load()
        talk, out = line.talk, b""
        if talk is not None and self._time.boottime_ms() - talk.heard_ms < _SILENT_MS:
            out = self._due(line, talk, self._known.get(talk.serial))
            self._changed()
        else:  # a UART stays when the scanner at its end was taken out
            self.unplugged(line)
        return out

    def _due(self, line: Line, talk: Talk, scanner: _KnownScanner | None) -> bytes:
        if not talk.adopted:
            return self._adopt(line, talk, scanner)
        if scanner is None or not talk.met:
            return b""
        now_ms = self._time.boottime_ms()
        idle = now_ms - talk.tapped_ms >= _IDLE_MS  # the scanner repeats its waiting taps every second
        if scanner.forgotten:
            self._updates.disconnected(talk.serial)
            return talk.make_frame(Kind.FORGET) if idle else b""
        return self._updates.due(talk, now_ms, idle=idle)

    def _adopt(self, line: Line, talk: Talk, scanner: _KnownScanner | None) -> bytes:
        """Adopts an unowned scanner at the end of the line, if adoption is allowed; repeats the offer until the scanner
        answers.

        The key is stored before it is sent, so that no scanner has a key that its clock does not know. A scanner that
        was just released is not adopted again before it was unplugged.
        """
        if scanner is not None and scanner.forgotten and scanner.line is line:
            scanner.last_status = None  # the scanner has received its release
            return b""
        if not self._may_adopt():
            return b""
        if scanner is not None and scanner.forgotten:
            self._registry.store_key(talk.serial, scanner.name, scanner.key)
            scanner.forgotten = False
        if scanner is None:
            name = f"Scanner {len(self._known) + 1}"
            scanner = _KnownScanner(
                name, self._registry.store_key(talk.serial, name, self._entropy(frames.KEY_BYTES)), None
            )
            self._known[talk.serial] = scanner
        talk.key_offered = scanner.key
        self._offered.add(talk.serial)
        return talk.make_frame(Kind.ADOPT, key=scanner.key, name=scanner.name)

    # ---- how it is

    def _status(self, line: Line, talk: Talk, status: Members) -> bytes:
        """Stores a scanner's status, and the contact of both clocks' times, which dates its taps. Replies with the
        time.
        """
        scanner, now_ms = self._known[talk.serial], self._time.boottime_ms()
        if scanner.last_status is None:
            self._report("info", "scanner_adopted", f"the scanner {talk.serial} is this clock's", {})
        if talk.serial in self._offered:
            self._offered.discard(talk.serial)
            self._on_adopted(talk.serial)
        if scanner.line is not line:
            self.unplugged(line)
        contact = Contact(talk.hello["boot"], min(status["tick"], _LATEST_MS), self._time.boot_id, now_ms)
        # Refusals before it was this clock's, or before its flash was formatted, do not concern this clock.
        refused = (
            0
            if scanner.last_status is None
            else status["overflow"] - scanner.last_status.get("overflow", status["overflow"])
        )
        scanner.line = line
        scanner.last_status = {
            "board": talk.hello["board"],
            "version": talk.hello["version"],
            "battery": None if status["percent"] > 100 else status["percent"],
            "charging": bool(status["charging"]),
            "log": {"used": status["used"], "capacity": status["capacity"]},
            "overflow": status["overflow"],
            "reader": status["reader"],
            "lastSeen": instant_text(self._time.now()),
        }
        # Not in each session: a faulty scanner begins one all the time.
        if contact.boot not in self._contacts or now_ms - scanner.kept_ms >= _KEEP_EVERY_MS or refused > 0:
            self._registry.store_status(talk.serial, scanner.last_status, contact)
            scanner.kept_ms = now_ms
        if refused > 0:
            message = f"the log of the scanner {talk.serial} was full: {refused} more taps were refused"
            self._report("warn", "scanner_full", message, {"serial": talk.serial, "refused": refused})
        if not talk.met:
            self._updates.greeted(talk)
            talk.met, talk.tapped_ms = True, now_ms
        self._contacts.pop(contact.boot, None)
        self._contacts[contact.boot] = contact
        if len(self._contacts) > _MOST_CONTACTS:
            del self._contacts[next(iter(self._contacts))]
        return talk.make_frame(Kind.TIME, tick=status["tick"], **self._time_members())

    def _time_members(self) -> Members:
        now = self._time.reading()
        return {"wall": max(0, to_ms(self._time.estimate_for(now).time)), "quality": now.quality.value}

    # ---- its taps

    def _tapped(self, talk: Talk, frame: Frame, tap: Members) -> tuple[bytes, int]:
        """Stores a scanner's tap. Returns the reply, and the number of the log's last tap to acknowledge (0:
        acknowledge nothing).
        """
        talk.tapped_ms = self._time.boottime_ms()
        last, missing = self._registry.read_progress(talk.serial, frame.epoch)
        if frame.seq <= last and frame.seq not in missing:
            return b"", _taken_up_to(talk, last, missing)
        if frame.seq > last and frame.seq != max(last + 1, talk.first):
            return b"", 0  # one before it was lost on the way: that comes again, and this one after it
        taken_to = _taken_up_to(talk, max(last, frame.seq), missing - {frame.seq})
        logged = Logged(talk.serial, frame.epoch, frame.seq)
        if tap["flags"] & _ILLEGIBLE or not tap["uid"]:
            self._registry.skip_tap(logged)
            self._report("error", "scanner_tap_lost", f"{talk.serial} cannot read its tap {frame.seq}", {})
            return b"", taken_to
        reading, ago_ms = self._reading(tap["boot"], min(tap["tick"], _LATEST_MS))
        fresh = ago_ms is not None and ago_ms <= FRESH_MS
        identifier = stamp_id(self._known[talk.serial].key, logged)
        kind = self._tapper.on_scanned(identifier, tap["uid"].hex().upper(), reading, logged, fresh=fresh)
        if kind is None:
            return b"", taken_to
        return talk.make_frame(Kind.FEEDBACK, frame.epoch, frame.seq, code=_FEEDBACK.get(kind, 0)), taken_to

    def _reading(self, boot: str, tick_ms: int) -> tuple[Reading, int | None]:
        """Returns a stamp's reading for a tap's time, and how long ago it was; None: this clock does not know.

        The cloud goes by the anchors of the scanner's start, so the wall time need only be the best that is known now.
        """
        contact = self._contacts.get(boot)
        if contact is None:
            return Reading(self._time.now(), boot, tick_ms, Quality.NONE), None
        ago_ms = max(0, self._time.boottime_ms() - contact.clock_ms - tick_ms + contact.tick_ms)
        then = self._time.reading(ago_ms)
        estimate = self._time.estimate_for(then)
        return Reading(estimate.time, boot, tick_ms, then.quality if estimate.basis == "wall" else Quality.NONE), ago_ms


def _taken_up_to(talk: Talk, last: int, missing: Iterable[int]) -> int:
    """Returns the highest number that may be acknowledged: the scanner then forgets its taps up to it, and missing taps
    that it still has must come again.
    """
    return min((seq for seq in missing if seq >= talk.first), default=last + 1) - 1
