"""A handle on a simulated reader for other processes: hold a tag to it, break its line, pull its cable."""

import threading
from pathlib import Path

from .lines import LineServer, Message
from .pty_reader import Fault, PtyReader
from .tags import tag_of

DEFAULT_HOLD_S = 1.0


def serve_reader(reader: PtyReader, path: Path) -> LineServer:
    """Serves `reader` at the Unix socket `path`.

    Requests: `{"do": "hold", "tag": hex, "forS": seconds}`, answered at once; `{"do": "tap", …}` likewise, but the tag
    is taken away as soon as it has been read, and the answer, `read`, waits for that, as does the next tap;
    `{"do": "fault", "kind": name, "times": count or null}`; and `remove`, `recover`, `unplug`, `plug`, `power_cycle`.
    """
    one_hand = threading.Lock()
    return LineServer(path, lambda request: _do(reader, one_hand, request))


def _do(reader: PtyReader, one_hand: threading.Lock, request: Message) -> Message:
    match request["do"]:
        case "hold":
            reader.hold(tag_of(str(request["tag"])), float(request.get("forS", DEFAULT_HOLD_S)))
        case "tap":
            tag, for_s = tag_of(str(request["tag"])), float(request.get("forS", DEFAULT_HOLD_S))
            with one_hand:
                reads_before = reader.chip.reads
                reader.hold(tag)
                read = reader.wait_for_reads(reads_before + 1, for_s)
                reader.remove()
            return {"ok": True, "read": read}
        case "fault":
            reader.fail(Fault(request["kind"]), request.get("times", 1))
        case "remove" | "recover" | "unplug" | "plug" | "power_cycle" as simple:
            getattr(reader, simple)()
        case other:
            raise ValueError(f"unknown request {other!r}")
    return {"ok": True}
