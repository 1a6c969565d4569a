"""The scanner's tasks: looks for tags, stores taps, signals, and talks to its clock.

Nothing here waits: `Scanner.step` does what is due and returns for how long nothing will be.
"""

import os
import struct

from scanner import frame, held, power, reader, signal, store, tags, update
from scanner.link import Link
from scanner.timebase import Timebase
from scanner.version import VERSION

_LOOK_AFTER_FAULT = 1000
_RESTART_AFTER = 10 * 1000  # at the latest, when an image waits to be started
_TRIAL = 120 * 1000
_READ_AT_ONCE = 256  # bytes; each frame in them uses heap, and at 115,200 baud 4 ms bring 46
_BATTERY_EVERY = 10 * 1000
_NAP = 4000  # the longest sleep: main.py's watchdog bites after 8 s


def _padded(text, size):
    return (text.encode() + bytes(size))[:size]


def _text(padded):
    text = padded.rstrip(b"\0")
    for cut in range(min(4, len(text) + 1)):  # a name that was cut may end within a letter
        try:
            return text[: len(text) - cut].decode()
        except UnicodeError:
            pass
    return ""


def _key(text):
    # The 32 bytes of 64 hexadecimal digits, else those of a scanner without a key.
    try:
        key = bytes.fromhex(text)
    except (TypeError, ValueError):
        return frame.NO_KEY
    return key if len(key) == 32 else frame.NO_KEY


def _is_tag(uid):
    try:
        tags.normalise(uid)
    except ValueError:
        return False
    return True


class Scanner:
    """One scanner. `unit` is the content of its unit.json ({"serial", "maker": modulus in hex or ""}), `root` the
    folder of its flash. The log may have `segments` files of `records` taps each.
    """

    def __init__(self, hardware, unit, root="", random=os.urandom, segments=64, records=96):
        self.hardware, self._unit = hardware, unit
        self._files = store.Files(root, hardware.feed)
        boot = bytearray(random(16))
        boot[6], boot[8] = boot[6] & 0x0F | 0x40, boot[8] & 0x3F | 0x80
        self.boot = bytes(boot)
        self.timebase = Timebase()
        self.log = store.Log(store.Files(root + "/taps", hardware.feed), random, segments, records)
        self._files.clear(("scanner.json", "slot", "image", "scanner.json.new", "slot.new", "image.new"))
        self._read_settings()
        self.player = signal.Player(hardware.outputs)
        self.power = power.Power()
        self.updates = update.Updates(self._files, hardware.name, bytes.fromhex(unit.get("maker", "")))
        self._trial = self.updates.on_trial
        self.link = Link(self, random)
        self._docked = False
        self._battery = (0, None, False)
        self._battery_at = self._look_at = self._docked_at = 0
        self._written_at = None
        self.held = held.HeldTags()
        self._looked_at = 0
        self._reader = 0  # STATUS's word for the reader
        damaged = self._files.aside + self.log.aside
        self.player.play("error" if damaged else "ready" if self.adopted else "unadopted", 0)

    @property
    def adopted(self):
        return self.key != frame.NO_KEY

    def step(self):
        """Does what is due; returns (milliseconds until something may be due, whether it may sleep until then)."""
        now = self.timebase.now()
        self._feel(now)
        if self._docked:
            self._talk(now)
        if self.power.state != power.EMPTY and now >= self._look_at:
            self._look(now)
        self._restart_if_due(now)
        now = self.timebase.now()
        signal_ms = self.player.step(now)
        if self._docked:
            return 4, False
        to_look = max(1, self._look_at - now) if self.power.state != power.EMPTY else _NAP
        if signal_ms is not None:
            return min(signal_ms, to_look), False
        return to_look, self.power.state in power.SLEEPS

    # The link's callbacks.

    def hello(self, nonce):
        log = self.log
        texts = _padded(self._unit["serial"], 16) + _padded(self.hardware.name, 8) + _padded(VERSION, 12)
        numbers = struct.pack(">IIBI", log.first, log.next, self.adopted, log.overflow)
        return b"\1" + texts + self.boot + nonce + numbers

    def status(self):
        log, (millivolts, percent, charging) = self.log, self._battery
        level = 255 if percent is None else percent
        used = min(log.used, log.capacity)
        numbers = (self.timebase.now(), millivolts, level, charging, used, log.capacity, log.overflow)
        return struct.pack(">QHBBIII", *numbers) + self.boot + bytes([self._reader])

    def welcomed(self, wall, quality):
        self.timebase.set_wall(wall, quality)
        self._trial = False
        try:
            state = self.updates.welcomed()
        except OSError:
            return  # sent after the next WELCOME
        if state:
            self.link.say(frame.UPDATE_STATE, struct.pack(">IBB", 0, state, 0))

    def adopt(self, key, name):
        """Takes the clock's key. Returns 0, or the code of REFUSED."""
        return self._settle(key, _text(name), "adopted")

    def forget(self):
        """Gives the key up, unless taps wait. Returns 0, or the code of REFUSED."""
        return 1 if self.log.used else self._settle(frame.NO_KEY, "", "unadopted")

    def feedback(self, code):
        if 0 < code < len(signal.FEEDBACK):
            self.player.play(signal.FEEDBACK[code], self.timebase.now())

    def update(self, kind, body):
        """Returns (offset, state, reason) of UPDATE_STATE."""
        if kind == frame.UPDATE_BEGIN:
            return self.updates.begin(body)
        return self.updates.chunk(body) if kind == frame.UPDATE_CHUNK else self.updates.end()

    # The steps' tasks.

    def _read_settings(self):
        settings = store.load(self._files, "scanner.json")
        values = settings or {}
        name = values.get("name", "")
        self.key = _key(values.get("key", ""))
        self.name = name if isinstance(name, str) else ""
        if settings == {} or (self.adopted and self.name == name):
            return
        self._files.aside += 1
        if not self.adopted:
            self._files.set_aside("scanner.json")
            return
        try:
            self._save(self.key, self.name)
        except OSError:
            pass  # after the next start

    def _save(self, key, name):
        store.save(self._files, "scanner.json", {} if key == frame.NO_KEY else {"key": key.hex(), "name": name})

    def _settle(self, key, name, sign):
        try:
            self._save(key, name)
        except OSError:
            return 2
        self.key, self.name = key, name
        self.player.play(sign, self.timebase.now())
        return 0

    def _feel(self, now):
        docked = self.hardware.docked()
        if docked != self._docked:
            self._docked, self._docked_at = docked, now
            self.link.begin(now)
        if now >= self._battery_at:
            self._battery_at = now + _BATTERY_EVERY
            self._battery = self.hardware.battery()
        was = self.power.state
        if self.power.step(now, docked, self._battery[1]) != was:
            self._look_at = min(self._look_at, now + power.LOOK_EVERY[self.power.state])
            if self.power.state == power.EMPTY:
                self.player.play("empty", now)

    def _talk(self, now):
        line = self.hardware.line
        if line.any():
            self.link.receive(line.read(_READ_AT_ONCE), now)
        out = self.link.step(now)
        if out:
            line.write(out)

    def _look(self, now):
        state = self.power.state
        try:
            uid = self.hardware.reader.look(state in power.SLEEPS)
        except (reader.ReaderAbsent, reader.ReaderFault) as fault:
            self._reader = 1 if isinstance(fault, reader.ReaderAbsent) else 2
            self._look_at = now + _LOOK_AFTER_FAULT
            return
        pause = now - self._looked_at
        if self._reader or pause > held.BRIDGE:  # the reader had failed, or the battery was flat
            self.held.resume(pause)
        self._reader, self._looked_at = 0, now
        self._look_at = now + power.LOOK_EVERY[state]
        if uid is not None and not _is_tag(uid):
            uid = held.NO_TAG
            if not self.held.holds(uid):
                self.power.used(now)  # the next look may find a card, and comes late on a sleeping scanner
        tap = self.held.observe(uid, now)
        if tap is not None:
            self._tap(tap)

    def _tap(self, uid):
        now = self.timebase.now()
        self.power.used(now)
        self.player.play(self._keep(uid, now), self.timebase.now())

    def _keep(self, uid, now):
        if uid == held.NO_TAG:
            return "refused"
        if not self.adopted:
            return "unadopted"
        try:
            self.log.append(self.boot, now, uid)
        except store.LogFull:
            return "full"
        except OSError:
            return "failed"
        return "stored"

    def _restart_if_due(self, now):
        if self.updates.written and self._written_at is None:
            self._written_at = now
        due = self._written_at is not None and (not self.log.used or now - self._written_at >= _RESTART_AFTER)
        # Out of its base no clock can welcome it: the trial waits.
        failed = self._trial and self._docked and now - self._docked_at > _TRIAL
        if due or failed:
            self.hardware.restart()
