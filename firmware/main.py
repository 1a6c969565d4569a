"""The main program after boot.py: makes the scanner of this board and runs it. Any failure restarts it."""

import json
import os

ROOT = os.getcwd().rstrip("/")


def read(name):
    """Returns the parts of a unit that can be read: {"serial", "board", "maker"}, and for tests the log's size."""
    try:
        with open(ROOT + "/" + name) as file:
            unit = json.loads(file.read(4096))
    except (OSError, ValueError):
        return {}
    if not isinstance(unit, dict):
        return {}
    return {part: unit[part] for part in CHECKS if part in unit and CHECKS[part](unit[part])}


def is_serial(value):
    return isinstance(value, str) and 0 < len(value) <= 16 and min(value) > " " and max(value) < "\x7f"


def is_board(value):
    if not isinstance(value, str):
        return False
    try:
        board_of(value)
    except (ImportError, AttributeError, ValueError):
        return False
    return True


def is_maker(value):
    return isinstance(value, str) and not len(value) % 2 and all([digit in "0123456789abcdefABCDEF" for digit in value])


def is_log(value):
    return isinstance(value, list) and len(value) == 2 and all([isinstance(part, int) and part > 0 for part in value])


CHECKS = {"serial": is_serial, "board": is_board, "maker": is_maker, "log": is_log}


def board_of(name):
    return getattr(__import__("boards." + name), name).BOARD


def keep(name, unit):
    """Writes a unit and renames the damaged file. A full flash keeps what it has."""
    try:
        with open(ROOT + "/unit.new", "w") as file:
            file.write(json.dumps(unit))
        if name in os.listdir(ROOT or "/"):
            os.rename("%s/%s" % (ROOT, name), "%s/%s.aside" % (ROOT, name))
        os.rename(ROOT + "/unit.new", "%s/%s" % (ROOT, name))
    except OSError:
        pass


def load():
    """Returns (the unit, whether `unit.json` is damaged). `unit.copy` is what the last whole start found."""
    unit, copy = read("unit.json"), read("unit.copy")
    is_complete = all([part in unit for part in ("serial", "board", "maker")])
    if not is_complete:
        copy.update(unit)
        unit = copy
        unit.setdefault("maker", "")  # without the maker's key it takes no updates
        if "serial" in unit and "board" in unit:
            keep("unit.json", unit)
    elif unit != copy:
        keep("unit.copy", unit)
    return unit, not is_complete


def make():
    """Returns the scanner that `unit.json` describes."""
    from scanner.app import Scanner
    from scanner.hardware import Hardware

    unit, damaged = load()
    scanner = Scanner(Hardware(board_of(unit["board"])), unit, ROOT, os.urandom, *unit.get("log", ()))
    if damaged:
        scanner.player.play("error", 0)
    return scanner


def run():
    import machine

    try:
        watchdog = machine.WDT(timeout=8000)
        scanner = make()
        hardware = scanner.hardware
        while True:
            watchdog.feed()
            hardware.sleep(*scanner.step())
    except Exception as error:  # a trial ends by this too: boot.py counts the starts
        import sys
        import time

        sys.print_exception(error)
        time.sleep_ms(2000)
        machine.reset()


if __name__ == "__main__":
    run()
