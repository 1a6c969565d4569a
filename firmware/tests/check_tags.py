"""Runs inside MicroPython: every tag vector against scanner.tags; reports, decides nothing."""

import json

from scanner.tags import normalise


def outcome(case_input):
    tag = case_input["text"] if "text" in case_input else bytes.fromhex(case_input["bytes"])
    try:
        return {"tag": normalise(tag)}
    except ValueError as refusal:
        return {"refused": str(refusal)}


def check(path):
    """Return JSON: a list of [id, what came out, what was expected], one for each case of the file."""
    with open(path) as file:
        cases = json.load(file)["cases"]
    return json.dumps([[case["id"], outcome(case["input"]), case["expected"]] for case in cases])


def check_buffers():
    """The same: identifiers also come in the buffers that drivers use."""
    raw = b"\x04\xa2\x24\xb1\xc2\xd3\x80"
    buffers = {"bytearray": bytearray(raw), "memoryview": memoryview(raw)}
    return json.dumps([["a reader's " + name, normalise(buffers[name]), "04A224B1C2D380"] for name in sorted(buffers)])
