"""Runs first: chooses which of the two images runs, and goes back to the former one if a new one did not come up.

This file and main.py are never updated over the wire, so that there is always a way back.
"""

import json
import os
import sys

ROOT = os.getcwd().rstrip("/")


def choose(slot):
    """(what the file `slot` must say before the start, the folder that runs); scanner/update.py says what is in it."""
    run, back, tries = slot.get("run", "a"), slot.get("back", ""), slot.get("tries", 0)
    if not back:
        return slot, run
    if not tries:
        return {"run": back, "back": "", "tries": 0, "told": 3}, back
    return {"run": run, "back": back, "tries": tries - 1, "told": 0}, run


def start():
    """Put the image that runs in the way of imports."""
    try:
        with open(ROOT + "/slot") as file:
            slot = json.loads(file.read())
    except (OSError, ValueError):
        slot = {}
    after, folder = choose(slot)
    if after != slot:
        try:
            with open(ROOT + "/slot.new", "w") as file:
                file.write(json.dumps(after))
            os.rename(ROOT + "/slot.new", ROOT + "/slot")
        except OSError:
            pass  # a flash that takes nothing more is no reason not to bring its clock the taps that are on it
    sys.path.insert(0, ROOT + "/" + folder)


start()
