"""A portable scanner as its clock sees it: the scanner's side of docs/contract/scanner/v1, without a chip or a line.

It is fast enough for thousands of taps in a test. Its flash survives a loss of power; acknowledged taps may be
forgotten at any time. The firmware's own tests cover the real program, in the real interpreter.
"""

import hashlib
import random
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from stempelwerk_edge.satellites.frames import COUNTED, NO_KEY, Frame, Kind, Session, Spoilt, Unframer, pack, read

WINDOW = 8
_HELLO_MS, _STATUS_MS, _REPEAT_MS = 1_000, 30_000, 1_000
_SILENCE_MS, _UNACKNOWLEDGED_MS = 5_000, 3_000


@dataclass
class Flash:
    """The content that survives without power: the log with its epoch, the key. `taps`: number to (boot, tick,
    identifier).
    """

    epoch: int
    taps: dict[int, tuple[str, int, bytes]] = field(default_factory=dict)
    next: int = 1
    lost: int = 0
    key: bytes | None = None
    name: str = ""
    version: str = "1.0.0"


@dataclass
class _Talk:
    """The scanner's side of a session, from its first HELLO on. `welcomed`: the clock's nonce is known."""

    session: Session
    began_ms: int
    welcomed: bool = False
    sent_seq: int = 0
    heard: int = 0
    heard_ms: int = 0
    hello_ms: int | None = None
    status_ms: int | None = None
    sent_ms: int | None = None
    waiting_ms: int | None = None


class ModelScanner:
    """A scanner; `now_ms` is the world's time. It has no power before `power_on`, and is silent without a line."""

    def __init__(self, serial: str, rng: random.Random, capacity: int = 5_000) -> None:
        self.serial, self.capacity, self._rng = serial, capacity, rng
        self.flash = Flash(self._number())
        self.boot = ""
        self.feedback: list[int] = []
        self.committed: tuple[int, int] = (0, 0)
        self.refuses = 0  # the reason for refusing an image
        self.comes_up = True  # whether a new image starts
        self.image = b""
        self._begun: dict[str, Any] | None = None
        self._on_ms = 0
        self._talk: _Talk | None = None
        self._unframer = Unframer()

    def _number(self) -> int:
        return self._rng.randrange(1, 1 << 32)

    # ---- what happens to it

    def power_on(self, now_ms: int) -> None:
        """Starts, or restarts: another boot, and no session."""
        self.boot, self._on_ms = str(UUID(int=self._rng.getrandbits(128), version=4)), now_ms
        self.dock()

    def dock(self) -> None:
        """Switches to another line, or to the same one plugged in again."""
        self._talk, self._unframer = None, Unframer()

    def wipe(self, *, key_too: bool = False) -> None:
        """Formats the log; `key_too`: all of the flash. It needs power again after that."""
        keep = (None, "") if key_too else (self.flash.key, self.flash.name)
        self.flash = Flash(self._number(), key=keep[0], name=keep[1], version=self.flash.version)

    def tap(self, uid: bytes, now_ms: int) -> bool:
        """Holds a tag to it; False, and the signal of an error, if the log is full."""
        if len(self.flash.taps) >= self.capacity:
            self.flash.lost += 1
            return False
        self.flash.taps[self.flash.next] = (self.boot, self.tick(now_ms), uid)
        self.flash.next += 1
        return True

    def tick(self, now_ms: int) -> int:
        """Returns the scanner's own time."""
        return now_ms - self._on_ms

    # ---- the line

    def exchange(self, data: bytes, now_ms: int) -> bytes:
        """Returns the scanner's bytes after it has received these."""
        out = b""
        for stuffed in self._unframer.feed(data):
            try:
                out += self._heard(*read(stuffed), now_ms)
            except Spoilt:
                continue
        return out + self._due(now_ms)

    def _heard(self, frame: Frame, mac: bytes, now_ms: int) -> bytes:
        talk = self._talk
        if talk is None:
            raise Spoilt("mac")
        if frame.kind == Kind.WELCOME:
            if talk.welcomed:
                raise Spoilt("replayed")
            session = Session(talk.session.key, talk.session.scanner_nonce, frame.body[:8])
            fields = session.open(b"C", frame, mac)
            talk.session, talk.welcomed, talk.heard_ms = session, True, now_ms
            self._acknowledged(fields["committedEpoch"], fields["committedSeq"])
            return b""
        fields = talk.session.open(b"C", frame, mac, talk.heard)
        talk.heard_ms = now_ms
        talk.heard = frame.seq if frame.kind in COUNTED else talk.heard
        if frame.kind == Kind.ACK and self._acknowledged(frame.epoch, frame.seq):
            talk.sent_ms = talk.waiting_ms = None
        elif frame.kind == Kind.FEEDBACK:
            self.feedback.append(fields["code"])
        elif frame.kind == Kind.ADOPT and self.flash.key is None:
            self.flash.key, self.flash.name = fields["key"], fields["name"]
            adopted = pack(Kind.ADOPTED, self.flash.epoch, talk.sent_seq + 1)
            self._talk = None
            return Session(fields["key"], talk.session.scanner_nonce, talk.session.clock_nonce).seal(b"S", adopted)
        elif frame.kind == Kind.FORGET:
            if self.flash.taps:
                return self._seal(talk, pack(Kind.REFUSED, self.flash.epoch, talk.sent_seq + 1, code=1))
            self.flash.key, self.flash.name, self._talk = None, "", None
        elif frame.kind in (Kind.UPDATE_BEGIN, Kind.UPDATE_CHUNK, Kind.UPDATE_END):
            return self._updated(talk, frame.kind, fields, now_ms)
        return b""

    def _updated(self, talk: _Talk, kind: int, fields: dict[str, Any], now_ms: int) -> bytes:
        """Takes a piece of a new image and returns the answer. After the last one it restarts."""
        state, begun = 0, self._begun
        if kind == Kind.UPDATE_BEGIN and (begun is None or begun["sha256"] != fields["sha256"]):
            self._begun, self.image = fields, b""
            state = 4 if self.refuses else 0
        elif kind == Kind.UPDATE_CHUNK and fields["offset"] == len(self.image):
            self.image += fields["data"]
        elif kind == Kind.UPDATE_END and begun is not None and len(self.image) == begun["size"]:
            state = 1 if hashlib.sha256(self.image).digest() == begun["sha256"] else 4
        reason = self.refuses or 4 * (state == 4)
        state_frame = pack(
            Kind.UPDATE_STATE, self.flash.epoch, talk.sent_seq + 1, offset=len(self.image), state=state, reason=reason
        )
        out = self._seal(talk, state_frame)
        if state == 1 and begun is not None:
            self.flash.version = begun["version"] if self.comes_up else self.flash.version
            self.power_on(now_ms)
        if state:
            self._begun = None
        return out

    def _acknowledged(self, epoch: int, seq: int) -> bool:
        if epoch != self.flash.epoch or seq >= self.flash.next or seq not in self.flash.taps:
            return False
        self.committed = (epoch, seq)
        self.flash.taps = {number: tap for number, tap in self.flash.taps.items() if number > seq}
        return True

    def _due(self, now_ms: int) -> bytes:
        talk = self._talk
        if talk is not None and talk.welcomed and self._is_silent(talk, now_ms):
            talk = None
        if talk is None:
            session = Session(self.flash.key or NO_KEY, self._rng.randbytes(8))
            talk = self._talk = _Talk(session, now_ms)
        if not talk.welcomed:
            if talk.hello_ms is not None and now_ms - talk.hello_ms < _HELLO_MS:
                return b""
            talk.hello_ms = now_ms
            return self._seal(talk, pack(Kind.HELLO, self.flash.epoch, **self._hello(talk)))
        out = b""
        if talk.status_ms is None or now_ms - talk.status_ms >= _STATUS_MS:
            talk.status_ms = now_ms
            out += self._seal(talk, pack(Kind.STATUS, self.flash.epoch, talk.sent_seq + 1, **self._status(now_ms)))
        if self.flash.taps and self.flash.key is not None:
            if talk.waiting_ms is None:
                talk.waiting_ms = now_ms
            if talk.sent_ms is None or now_ms - talk.sent_ms >= _REPEAT_MS:
                talk.sent_ms = now_ms
                for seq in sorted(self.flash.taps)[:WINDOW]:
                    boot, tick, uid = self.flash.taps[seq]
                    out += self._seal(
                        talk, pack(Kind.TAP, self.flash.epoch, seq, boot=boot, tick=tick, flags=0, uid=uid)
                    )
        return out

    def _is_silent(self, talk: _Talk, now_ms: int) -> bool:
        unanswered = talk.status_ms is not None and talk.heard_ms < talk.status_ms
        if unanswered and now_ms - (talk.status_ms or 0) >= _SILENCE_MS:
            return True
        return talk.waiting_ms is not None and now_ms - max(talk.waiting_ms, talk.heard_ms) >= _UNACKNOWLEDGED_MS

    def _seal(self, talk: _Talk, frame: Frame) -> bytes:
        if frame.kind in COUNTED:
            talk.sent_seq = frame.seq
        session = talk.session if talk.welcomed else Session(talk.session.key, talk.session.scanner_nonce)
        return session.seal(b"S", frame)

    def _hello(self, talk: _Talk) -> dict[str, Any]:
        return {
            "proto": 1,
            "serial": self.serial,
            "board": "model",
            "version": self.flash.version,
            "boot": self.boot,
            "nonce": talk.session.scanner_nonce,
            "first": min(self.flash.taps, default=self.flash.next),
            "next": self.flash.next,
            "adopted": self.flash.key is not None,
            "overflow": self.flash.lost,
        }

    def _status(self, now_ms: int) -> dict[str, Any]:
        return {
            "tick": self.tick(now_ms),
            "battery": 3912,
            "percent": 71,
            "charging": True,
            "used": len(self.flash.taps),
            "capacity": self.capacity,
            "overflow": self.flash.lost,
            "boot": self.boot,
            "reader": "ok",
        }
