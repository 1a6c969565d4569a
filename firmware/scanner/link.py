"""A session with the clock: the order of its frames. Pure: bytes in, bytes out, and the time is given.

The rules are in docs/contract/scanner/v1/README.md. `scanner` is the link's owner (app.Scanner): its `log`, `key`, and
the answers to a clock's frames.
"""

import struct

from scanner import frame

HELLO_EVERY = 1000
STATUS_EVERY = 30000
ANSWERED_WITHIN = 5000
ACKED_WITHIN = 3000
REPEAT_AFTER = 1000
WINDOW = 8
_TO_ANYONE = (frame.WELCOME, frame.TIME, frame.ADOPT)  # an unadopted scanner takes only these


class Link:
    """The scanner's side of a session. `up`: a clock has welcomed the scanner. `dropped`: frames refused since the
    start.
    """

    def __init__(self, scanner, random):
        self._scanner, self._random = scanner, random
        self._splitter = frame.Splitter()
        self._refused = 0
        self._out = bytearray()
        self.begin(0)

    @property
    def dropped(self):
        return self._splitter.dropped + self._refused

    def begin(self, now):
        """Forgets the session, if any; the next step sends HELLO."""
        self.up = False
        self._nonces = self._random(8) + frame.NO_NONCE
        self._epoch = self._scanner.log.epoch  # the epoch of the taps that are sent
        self._said = self._heard = 0  # the session's counters
        self._hello_at = None
        self._status_at = None
        self._answered = True
        self._sent = self._scanner.log.acked  # the highest tap that is on its way
        self._progress = self._waits_since = self._last_heard = now

    def receive(self, data, now):
        """Takes the bytes that the line brought."""
        for raw in self._splitter.feed(data):
            try:
                kind, epoch, seq, body = frame.unpack(self._scanner.key, self._nonces, self._heard, raw)
                if self.up == (kind == frame.WELCOME) or not (self._scanner.adopted or kind in _TO_ANYONE):
                    raise frame.Dropped("session")
            except frame.Dropped:
                self._refused += 1
                continue
            if frame.carries_counter(kind):
                self._heard = seq
            self._last_heard = now
            self._take(kind, epoch, seq, body, now)

    def step(self, now):
        """Returns the bytes to send now."""
        if self.up and (self._is_silent(now) or self._epoch != self._scanner.log.epoch):
            self.begin(now)
        if self.up:
            self._say_status(now)
            if self._scanner.adopted:
                self._say_taps(now)
        elif self._hello_at is None or now - self._hello_at >= HELLO_EVERY:
            self._hello_at = now
            self._pack(frame.HELLO, 0, self._scanner.hello(self._nonces[:8]))
        out, self._out = self._out, bytearray()
        return out

    def say(self, kind, body=b""):
        """Sends a counted frame of the session."""
        self._said += 1
        self._pack(kind, self._said, body)

    def _pack(self, kind, seq, body):
        self._out += frame.pack(self._scanner.key, self._nonces, kind, self._epoch, seq, body)

    def _is_silent(self, now):
        if not self._answered and now - self._status_at > ANSWERED_WITHIN and self._last_heard <= self._status_at:
            return True
        return self._sent > self._scanner.log.acked and now - max(self._last_heard, self._waits_since) > ACKED_WITHIN

    def _say_status(self, now):
        if self._status_at is None or now - self._status_at >= STATUS_EVERY:
            self._status_at, self._answered = now, False
            self.say(frame.STATUS, self._scanner.status())

    def _say_taps(self, now):
        log = self._scanner.log
        if self._sent <= log.acked:
            self._sent = log.acked
            self._waits_since = self._progress = now
        elif now - self._progress >= REPEAT_AFTER:
            self._sent = log.acked
            self._progress = now
        # One a step: it takes longer on the line than a step, and all at once would take much of the heap.
        if self._sent < log.next - 1 and self._sent - log.acked < WINDOW:
            self._sent += 1
            record = log.read(self._sent)
            if record is None:
                body = bytes(24) + b"\1\0"
            else:
                boot, tick, uid = record
                body = boot + struct.pack(">QBB", tick, 0, len(uid)) + uid
            self._pack(frame.TAP, self._sent, body)

    def _take(self, kind, epoch, seq, body, now):
        scanner = self._scanner
        if kind == frame.WELCOME:
            wall, epoch, committed, quality = struct.unpack(">QIIB", body[8:25])
            self._nonces = self._nonces[:8] + body[:8]
            self.up = True
            self._committed(epoch, committed, now)
            scanner.log.greeted(epoch, committed)
            self._sent = scanner.log.acked
            self._say_status(now)
            scanner.welcomed(wall, quality)
        elif kind == frame.ACK:
            self._committed(epoch, seq, now)
        elif kind == frame.TIME:
            self._answered = True
            wall, quality = struct.unpack(">QB", body[:9])
            scanner.timebase.set_wall(wall, quality)
        elif kind in (frame.ADOPT, frame.FORGET):
            code = scanner.forget() if kind == frame.FORGET else scanner.adopt(body[:32], body[32:56])
            if code:
                self.say(frame.REFUSED, bytes([code]))
                return
            if kind == frame.ADOPT:
                self.say(frame.ADOPTED)  # the key is the new one by now
            self.begin(now)
        elif kind == frame.FEEDBACK:
            scanner.feedback(body[0])
        else:
            offset, state, reason = scanner.update(kind, body)
            self.say(frame.UPDATE_STATE, struct.pack(">IBB", offset, state, reason))

    def _committed(self, epoch, number, now):
        if epoch == self._scanner.log.epoch and self._scanner.log.acknowledge(number):
            self._progress = now
