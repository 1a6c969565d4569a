"""A scanner's life in single steps, for measuring what each takes of the heap. Called from run.mjs, one by one."""

import json

import images
import machine
from kit import Chance
from rig import UID, Clock, Rig
from scanner import frame

RIG = Rig(maker=images.modulus)
CLOCK = Clock(RIG)
WHOLE = bytes.fromhex(images.image("rp2040", "1.1.0", json.dumps({"scanner/app.py": "x" * 4096})))
DIGEST = bytes.fromhex(images.digest(WHOLE.hex()))
CHANCE = Chance(5)
ALL = (["step()"] * 3 + ["answer()"] + ["step()"] * 2) * 2


def steps():
    """JSON: what is to be called, in this order."""
    fill = ["fill(%d)" % at for at in range(0, 6144, 512)] + ["start_again()"]
    taps = ["tag()", "step()", "no_tag()", "step()", "step()"] * 3
    pieces = ["piece(%d)" % at for at in range(0, len(WHOLE), 196)]
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


def fill(at):
    # Into one file a segment at a time, since the card of the tests is memory too: names alone cost the firmware.
    log = RIG.scanner.log
    for first in range(at, at + 512, 96):
        if first // 96 > len(log._firsts) - 1 and len(log._firsts) < 64:
            log._begin_segment(log._firsts[-1] + 96)
            log.next = log._firsts[-1]


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
assert UID
