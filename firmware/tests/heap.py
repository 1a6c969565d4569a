"""A scanner's life in single steps, for measuring what each takes of the heap. Called from run.mjs, one by one."""

import json
import os
import time

import images
import machine
from kit import Chance, no_watchdog
from rig import KEY, Clock, Rig
from scanner import frame, store

os.mkdir("/scanner")  # of the interpreter's own files: a test's card would be memory that a board does not need
store.save(store.Files("/scanner", no_watchdog), "scanner.json", {"key": KEY.hex(), "name": "Halle"})
RIG = Rig(maker=images.modulus, root="/scanner")
CLOCK = Clock(RIG)
# Small: what the pieces of a larger one take is free again at once.
WHOLE = bytes.fromhex(images.image("rp2040", "1.1.0", json.dumps({"scanner/app.py": "x" * 600})))
DIGEST = bytes.fromhex(images.digest(WHOLE.hex()))
CHANCE = Chance(5)
ALL = (["step()"] * 3 + ["answer()"] + ["step()"] * 2) * 2


def steps():
    """Returns the calls to make, in order, as JSON."""
    fill = ["fill(%d)" % offset for offset in range(0, 6144, 256)] + ["start_again()"]
    taps = ["tag()", "step()", "no_tag()", "step()", "step()"] * 3
    pieces = ["piece(%d)" % offset for offset in range(0, len(WHOLE), 196)]
    return json.dumps(ALL + taps + fill + ALL + taps + ["noise()", "step()"] + ALL + ["begin()", "step()"] + pieces + ["end()"])


def step():
    RIG.scanner.step()
    RIG.now += 200


def answer():
    CLOCK.take(bytes(RIG.line.sent))
    RIG.line.sent = bytearray()
    CLOCK.heard, CLOCK.journal = [], {}


def tag():
    RIG.chip.tag = CHANCE(7)


def no_tag():
    RIG.chip.tag = None


def tap_us():
    """Returns the microseconds of the step that sees, stores and signals a tag."""
    log = RIG.scanner.log
    log.acknowledge(log.next - 1)
    for _ in range(3):
        step()  # sending an earlier start's log is not part of the tap
    next_before = log.next
    tag()
    for _ in range(20):
        start_us = time.ticks_us()
        step()
        if log.next > next_before:
            return time.ticks_us() - start_us
    raise AssertionError("no tap")


def fill(offset):
    log = RIG.scanner.log
    for number in range(offset, offset + 256):
        if log.used < log.capacity:
            log.append(RIG.scanner.boot, number, b"1234567")


def start_again():
    RIG.boot()
    machine.PINS[14] = 1


def noise():
    RIG.line.arriving += CHANCE(1024)


def begin():
    CLOCK.say(frame.UPDATE_BEGIN, len(WHOLE).to_bytes(4, "big") + DIGEST + bytes(12))


def piece(offset):
    RIG.scanner.updates.begin(len(WHOLE).to_bytes(4, "big") + DIGEST)
    RIG.scanner.updates.chunk(offset.to_bytes(4, "big") + WHOLE[offset : offset + 196])


def end():
    assert RIG.scanner.updates.end()[1] == 1, "not taken"


machine.PINS[14] = 1
