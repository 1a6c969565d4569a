"""A whole scanner for tests: the real app on the simulated machine, a card for its flash, time that the test moves."""

import struct

import machine
import pn532
from kit import Card, Chance, mounted
from scanner import app, frame, hardware, timebase

KEY = bytes(range(32))
UID = b"\x04\xa2\x24\xb1\xc2\xd3\x80"


class Line:
    """The scanner's end of the cable; `sent` are its bytes, `arriving` the bytes that it will receive."""

    def __init__(self):
        self.sent = bytearray()
        self.arriving = bytearray()

    def any(self):
        return len(self.arriving)

    def read(self, limit):
        data, self.arriving = bytes(self.arriving[:limit]), self.arriving[limit:]
        return data

    def write(self, data):
        self.sent += data


class Rig:
    """`now` is the world's time in ms. `boot()` is power on with whatever the card (or another `root`) holds."""

    def __init__(self, seed=1, board="rp2040", adopted=True, segments=64, records=96, maker="", root="/card"):
        self.chance, self.board, self.now, self.size = Chance(seed), board, 0, (segments, records)
        self.root = root
        self.unit = {"serial": "SW-1", "maker": maker}
        self.card = Card({"/taps": None})
        if adopted:
            self.card.files["/scanner.json"] = b'{"key": "%s", "name": "Halle"}' % KEY.hex().encode()
        self.line = Line()
        self.docked = True
        self.boot()

    def boot(self, make=None):
        mounted(self.card)
        board = getattr(__import__("boards." + self.board), self.board).BOARD
        machine.CHIP = self.chip = pn532.Chip()
        machine.UARTS[board["line"]["id"]] = self.line
        self._pin = board.get("docked", -1)
        app.Timebase = lambda: timebase.Timebase(lambda: self.now % 1073741824, lambda new, old: (new - old) % 1073741824)
        self.line.arriving = bytearray()
        self.scanner = make() if make else app.Scanner(hardware.Hardware(board), self.unit, self.root, self.chance, *self.size)
        self.played = []
        play = self.scanner.player.play

        def remember(name, now):
            self.played.append(name)
            play(name, now)

        self.scanner.player.play = remember

    def run(self, milliseconds, step=60):
        """Let time pass."""
        machine.PINS[self._pin] = int(self.docked)
        end = self.now + milliseconds
        while self.now < end:
            wait, _ = self.scanner.step()
            self.now += max(1, min(wait if wait > 4 else step, end - self.now))

    def tap(self, uid=UID):
        """Hold a tag until it was seen, take it away; the signals that sounded."""
        self.played = []
        self.chip.tag = uid
        self.run(1300)
        self.chip.tag = None
        self.run(3000)
        return self.played


class Clock:
    """A model clock, which keeps what it commits over its own restarts."""

    def __init__(self, rig, key=KEY):
        self.rig, self.key = rig, key
        self.journal = {}
        self.unreadable = []
        self.heard = []
        self.feedback = False
        self.restart()

    def restart(self):
        self._splitter = frame.Splitter()
        self._sessions = []  # the newest last: [key, nonces, counter sent, first, confirmed]

    def take(self, data):
        for raw in self._splitter.feed(data):
            kind, epoch, seq = struct.unpack(">BII", raw[:9])
            body = bytes(raw[9:-12])
            if kind == frame.HELLO:
                self._greet(raw, body)
                continue
            for session in self._sessions:
                if frame.hmac_sha256(session[0], b"S" + session[1] + raw[:-12])[:8] == raw[-12:-4]:
                    self._sessions = [session]
                    self.heard.append((kind, epoch, seq, body))
                    self._answer(session, kind, epoch, seq, body)

    def say(self, kind, body=b"", session=None):
        session = session or self._sessions[-1]
        session[2] += 1
        self._send(session, kind, 0, session[2], body)

    @property
    def key_in_use(self):
        return self._sessions[-1][0]

    def _greet(self, raw, body):
        nonce = body[53:61]
        key = self.key if body[69] else frame.NO_KEY
        if frame.hmac_sha256(key, b"S" + nonce + bytes(8) + raw[:-12])[:8] != raw[-12:-4]:
            return
        sessions = [session for session in self._sessions if session[1][:8] == nonce]
        session = sessions[0] if sessions else [key, nonce + self.rig.chance(8), 0, struct.unpack(">I", body[61:65])[0]]
        if not sessions:
            self._sessions = self._sessions[-1:] + [session]
        epoch = struct.unpack(">I", raw[1:5])[0]
        body = session[1][8:] + struct.pack(">QIIB", 1795507083214, epoch, self._committed(session, epoch), 3)
        self._send(session, frame.WELCOME, 0, 0, body)

    def _committed(self, session, epoch):
        number = session[3] - 1
        while (epoch, number + 1) in self.journal:
            number += 1
        return number

    def _answer(self, session, kind, epoch, seq, body):
        if kind == frame.STATUS:
            self.say(frame.TIME, struct.pack(">QB", 1795507083214, 3) + body[:8], session)
        elif kind == frame.TAP:
            if body[24]:
                self.unreadable.append(seq)
            self.journal.setdefault((epoch, seq), (body[:16], body[16:24], body[26:]))
            self._send(session, frame.ACK, epoch, self._committed(session, epoch), b"")
            if self.feedback:
                self._send(session, frame.FEEDBACK, epoch, seq, b"\1")

    def _send(self, session, kind, epoch, seq, body):
        self.rig.line.arriving += frame.pack(session[0], session[1], kind, epoch, seq, body, b"C")


def talk(rig, clock, milliseconds, spoil=None):
    """Let both live; `spoil(data)` is what the cable makes of each direction's bytes."""
    for _ in range(milliseconds // 50):
        rig.run(50, 50)
        data, rig.line.sent = bytes(rig.line.sent), bytearray()
        waiting, rig.line.arriving = bytes(rig.line.arriving), bytearray()
        clock.take(spoil(data) if spoil else data)
        answered = bytes(rig.line.arriving)
        rig.line.arriving = bytearray(waiting + (spoil(answered) if spoil else answered))
