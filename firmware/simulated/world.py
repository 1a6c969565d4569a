"""The harness inside the interpreter, around the real firmware: starts it as boot.py and main.py do, steps it, reports.

The line's other end is the module `host` that run.mjs brings; bytes cross it as hexadecimal digits.
"""

import json
import os
import sys

import host

ROOT = "/flash"
SCANNER = None
SIGNALS = []
os.urandom = lambda n: bytes.fromhex(host.random(n))
os.chdir(ROOT)


class Line:
    def any(self):
        return host.waiting()

    def read(self, limit):
        return bytes.fromhex(host.read(limit))

    def write(self, data):
        host.write(data.hex())


def start():
    """Power on."""
    global SCANNER
    import machine

    with open(ROOT + "/unit.json") as file:
        board = json.load(file)["board"]
    sys.path.insert(0, ROOT)
    import boot  # noqa: F401 it puts the image in the way of imports
    import main

    wiring = getattr(__import__("boards." + board), board).BOARD
    machine.UARTS[wiring["line"]["id"]] = Line()
    machine.PINS[wiring.get("docked", -1)] = host.connected()
    SCANNER = main.make()
    play = SCANNER.player.play

    def remember(name, now):
        SIGNALS.append(name)
        del SIGNALS[:-16]
        play(name, now)

    SCANNER.player.play = remember


def step():
    """One step; milliseconds until the next, -1 if the firmware asked for a restart."""
    import machine

    docked = SCANNER.hardware._docked
    if docked is not None:
        machine.PINS[docked.number] = int(host.connected())
    try:
        return SCANNER.step()[0]
    except machine.Reset:
        return -1


def hold(tag):
    """Puts a tag into the field, or removes it with ""."""
    import machine

    machine.CHIP.tag = bytes.fromhex(tag) if tag else None


def is_held(tag):
    """Returns whether the firmware still takes the tag to be in the field."""
    return SCANNER.held.holds(bytes.fromhex(tag))


def list_signals():
    return json.dumps([len(SIGNALS), SIGNALS])


def state():
    scanner = SCANNER
    log = scanner.log
    return json.dumps(
        {
            "serial": scanner._unit["serial"],
            "epoch": log.newest.epoch,
            "first": log.first,
            "next": log.newest.next,
            "used": log.used,
            "capacity": log.capacity,
            "overflow": log.overflow,
            "adopted": scanner.adopted,
            "name": scanner.name,
            "session": scanner.link.up,
            "boot": scanner.boot.hex(),
            "tick": scanner.timebase.now(),
            "signals": SIGNALS,
            "dropped": scanner.link.dropped,
        }
    )
