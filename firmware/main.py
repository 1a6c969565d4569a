"""Runs behind boot.py: makes the scanner of this board and lets it live. Whatever goes wrong starts it again."""

import json
import os

ROOT = os.getcwd().rstrip("/")


def make():
    """The scanner that `unit.json` describes: {"serial", "board", "maker"}, and for tests the log's size."""
    from scanner.app import Scanner
    from scanner.hardware import Hardware

    with open(ROOT + "/unit.json") as file:
        unit = json.load(file)
    board = getattr(__import__("boards." + unit["board"]), unit["board"]).BOARD
    return Scanner(Hardware(board), unit, ROOT, os.urandom, *unit.get("log", ()))


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
