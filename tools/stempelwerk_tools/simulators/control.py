"""A handle on a simulated reader for other processes: hold a tag to it, break its line, pull its cable."""

from pathlib import Path

from .lines import LineServer, Message
from .pty_reader import Fault, PtyReader
from .tags import tag_of

DEFAULT_HOLD_S = 1.0


def serve_reader(reader: PtyReader, path: Path) -> LineServer:
    """Serve `reader` at the Unix socket `path`.

    Requests: `{"do": "hold", "tag": hex, "forS": seconds}`, answered when the tag has been read or was taken away,
    with `read`; `{"do": "fault", "kind": name, "times": count or null}`; and `remove`, `recover`, `unplug`, `plug`,
    `power_cycle` without members.
    """
    return LineServer(path, lambda request: _do(reader, request))


def _do(reader: PtyReader, request: Message) -> Message:
    match request["do"]:
        case "hold":
            for_s = float(request.get("forS", DEFAULT_HOLD_S))
            before = reader.chip.reads
            reader.hold(tag_of(str(request["tag"])), for_s)
            return {"ok": True, "read": reader.wait_for_reads(before + 1, for_s)}
        case "fault":
            reader.fail(Fault(request["kind"]), request.get("times", 1))
        case "remove" | "recover" | "unplug" | "plug" | "power_cycle" as simple:
            getattr(reader, simple)()
        case other:
            raise ValueError(f"unknown request {other!r}")
    return {"ok": True}
