"""Runs first: chooses which of the two images runs, and goes back to the former one if a new one did not come up.

This file and main.py are never updated over the wire, so that there is always a way back.
"""

import json
import os
import sys

ROOT = os.getcwd().rstrip("/")


def choose(slot):
    """Returns (the slot to write before the start, the folder that runs); scanner/update.py describes the file `slot`.
    """
    run, back, tries = slot.get("run", "a"), slot.get("back", ""), slot.get("tries", 0)
    if not back:
        return slot, run
    if not tries:
        return {"run": back, "back": "", "tries": 0, "told": 3}, back
    return {"run": run, "back": back, "tries": tries - 1, "told": 0}, run


def is_slot(slot):
    """Returns whether this is what scanner/update.py writes."""
    return (
        isinstance(slot, dict)
        and slot.get("run") in ("a", "b")
        and slot.get("back") in ("", "a", "b")
        and slot.get("tries") in (0, 1, 2, 3)
        and slot.get("told") in (0, 2, 3)
    )


def read():
    """Returns the slot. If it is damaged, image a is on trial, with image b as the way back."""
    try:
        with open(ROOT + "/slot") as file:
            slot = json.loads(file.read(512))
        if slot == {} or is_slot(slot):
            return slot
    except OSError as error:
        if error.errno == 2:
            return {}
    except ValueError:
        pass  # no JSON
    return {"run": "a", "back": "b", "tries": 3, "told": 0}


def set_folder_aside(name):
    """Renames a folder that lies where a file belongs."""
    names, count = os.listdir(ROOT or "/"), 1
    while "%s.aside%d" % (name, count) in names:
        count += 1
    try:
        if os.stat("%s/%s" % (ROOT, name))[0] & 0x4000:
            os.rename("%s/%s" % (ROOT, name), "%s/%s.aside%d" % (ROOT, name, count))
    except OSError:
        pass  # the path does not exist, or the flash is full


def has_image(folder):
    try:
        os.stat("%s/%s/scanner" % (ROOT, folder))
    except OSError:
        return False
    return True


def write(slot):
    with open(ROOT + "/slot.new", "w") as file:
        file.write(json.dumps(slot))
    os.rename(ROOT + "/slot.new", ROOT + "/slot")


def start():
    """Puts the chosen image on the path of imports."""
    slot = read()
    next_slot, folder = choose(slot)
    other_folder = "b" if folder == "a" else "a"
    if has_image(other_folder) and not has_image(folder):
        next_slot, folder = {"run": other_folder, "back": "", "tries": 0, "told": 3}, other_folder
    elif next_slot.get("back") and not has_image(next_slot["back"]):
        next_slot = {"run": folder, "back": "", "tries": 0, "told": 0}
    if next_slot != slot:
        try:
            write(next_slot)
        except OSError:
            set_folder_aside("slot.new")
            set_folder_aside("slot")
            try:
                write(next_slot)
            except OSError:
                pass  # a flash that takes nothing more is no reason not to bring its clock the taps that are on it
    sys.path.insert(0, ROOT + "/" + folder)


start()
