"""The protocol of one line with a scanner: bytes in, genuine frames out. Pure, but for the nonces that it is given.

A frame counts only in the session whose HELLO it follows: a recorded one, or one of another scanner, is dropped and
counted. A HELLO may itself be a recording, so the previous session continues until a frame comes in the new one. It
stores no key and decides nothing about a tap (`base.py` does).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from stempelwerk_edge.satellites.frames import (
    COUNTED,
    NO_KEY,
    Frame,
    Kind,
    Session,
    Spoilt,
    Unframer,
    pack,
    read,
    unpack,
)

_MOST_TALKS = 4
Members = dict[str, Any]


@dataclass(slots=True)
class Talk:
    """A session with a scanner after its HELLO. `epoch` is its log's, `first` the oldest tap that it has.

    `adopted`: it has proven this clock's key. `met`: its time is known here, so its taps may be taken; `tapped_ms` is
    the time of its last tap or of its meeting, `heard_ms` of its last frame.
    """

    hello: Members
    epoch: int
    session: Session
    adopted: bool
    key_offered: bytes | None = None
    heard: int = 0
    last_seq_sent: int = 0
    met: bool = False
    tapped_ms: int = 0
    heard_ms: int = 0

    @property
    def serial(self) -> str:
        """The scanner's serial."""
        return str(self.hello["serial"])

    @property
    def first(self) -> int:
        """The oldest tap that the scanner still had."""
        return int(self.hello["first"])

    def make_frame(self, kind: Kind, epoch: int = 0, seq: int = 0, **members: Any) -> bytes:
        """Returns a frame's bytes for this scanner; kinds of `COUNTED` get the next counter."""
        if kind in COUNTED:
            self.last_seq_sent += 1
            seq = self.last_seq_sent
        return self.session.seal(b"C", pack(kind, epoch, seq, **members))

    def open_frame(self, frame: Frame, mac: bytes) -> Members:
        """Returns the members of a scanner's frame; if its MAC is valid under the offered key, that becomes the
        session's key. Raises Spoilt.
        """
        session = self.session
        if self.key_offered is not None and not session.is_genuine(b"S", frame, mac):
            session = replace(session, key=self.key_offered)
        members = session.open(b"S", frame, mac, self.heard)
        if session is not self.session:
            self.session, self.key_offered, self.adopted = session, None, True
        if frame.kind in COUNTED:
            self.heard = frame.seq
        return members


class Line:
    """The state of one line. `key_of` returns the key of an adopted scanner by its serial; `nonce` returns eight random
    bytes.

    `stranger` is the serial of a scanner that belongs to another clock. `dropped` counts frames by the contract's
    reasons.
    """

    def __init__(self, key_of: Callable[[str], bytes | None], nonce: Callable[[], bytes]) -> None:
        self._key_of, self._nonce = key_of, nonce
        self._unframer = Unframer()
        self._talks: list[Talk] = []
        self.stranger: str | None = None
        self.dropped: Counter[str] = Counter()

    @property
    def talk(self) -> Talk | None:
        """The newest session on this line; None before the first HELLO."""
        return self._talks[-1] if self._talks else None

    def feed(self, data: bytes) -> Iterator[tuple[Talk, Frame, Members]]:
        """Yields the genuine frames that these bytes complete, HELLO among them, each with its session and its
        members.
        """
        for stuffed in self._unframer.feed(data):
            try:
                frame, mac = read(stuffed)
                heard = self._greeted(frame, mac) if frame.kind == Kind.HELLO else self._spoken(frame, mac)
            except Spoilt as reason:
                self.dropped[str(reason)] += 1
                continue
            if heard is not None:
                yield heard[0], frame, heard[1]

    def _greeted(self, frame: Frame, mac: bytes) -> tuple[Talk, Members] | None:
        hello = unpack(frame)
        key = self._key_of(hello["serial"]) if hello["adopted"] else NO_KEY
        if key is None:
            self.stranger = hello["serial"]
            return None
        greeting = Session(key, hello["nonce"])
        greeting.open(b"S", frame, mac)
        self.stranger = None
        for talk in self._talks:
            if talk.session.scanner_nonce == hello["nonce"]:  # the WELCOME was lost: send the same again
                return talk, hello
        session = replace(greeting, clock_nonce=self._nonce())
        talk = Talk(hello, frame.epoch, session, adopted=bool(hello["adopted"]))
        self._talks = [*self._talks, talk][-_MOST_TALKS:]
        return talk, hello

    def _spoken(self, frame: Frame, mac: bytes) -> tuple[Talk, Members]:
        reason = Spoilt("mac")
        for talk in reversed(self._talks):
            try:
                members = talk.open_frame(frame, mac)
            except Spoilt as fault:
                reason = fault if str(reason) == "mac" else reason
                continue
            if talk is self._talks[-1]:
                self._talks = [talk]
            return talk, members
        raise reason
