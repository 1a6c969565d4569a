"""A handle on a simulated reader for other processes: one JSON line a request over a Unix socket, one line back.

Whoever may write to the socket's folder may hold tags to the reader; there is no other guard, and no network.
"""

import contextlib
import json
import os
import socket
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stempelwerk_tools.simulators.pty_reader import Fault, PtyReader
from stempelwerk_tools.simulators.tags import tag_of


class ReaderUnreachable(ConnectionError):
    """No simulated reader answers at that socket."""


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    # A socket's path may have 107 bytes; a project may lie deeper than that.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def ask(path: Path, request: dict[str, Any], timeout_s: float = 15.0) -> dict[str, Any]:
    """Send one request to the reader at `path` and return its answer; ReaderUnreachable, or ValueError if refused."""
    try:
        with _short(path) as short, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(timeout_s)
            line.connect(short)
            line.sendall(json.dumps(request).encode() + b"\n")
            with line.makefile("rb") as answers:
                answer: dict[str, Any] = json.loads(answers.readline())
    except (OSError, json.JSONDecodeError) as error:
        raise ReaderUnreachable(f"no reader answers at {path}: {error}") from error
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer


class ReaderControl:
    """Serves `reader` at the Unix socket `path` until `close`.

    Requests: `{"do": "hold", "tag": hex, "forS": seconds}`, answered when the tag has been read or was taken away,
    with `read`; `{"do": "fault", "kind": name, "times": count or null}`; and `remove`, `recover`, `unplug`, `plug`,
    `power_cycle` without members.
    """

    def __init__(self, reader: PtyReader, path: Path) -> None:
        self._reader, self._path = reader, path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(json.dumps(outer.answer(self.rfile.readline())).encode() + b"\n")

        with _short(path) as short:
            self._server = socketserver.ThreadingUnixStreamServer(short, Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="reader-control", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop serving and remove the socket."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._path.unlink(missing_ok=True)

    def answer(self, line: bytes) -> dict[str, Any]:
        """The answer to one request; `{"error": …}` for one that makes no sense."""
        try:
            request = json.loads(line)
            return self._do(request)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return {"error": str(error)}

    def _do(self, request: dict[str, Any]) -> dict[str, Any]:
        match request["do"]:
            case "hold":
                return self._hold(str(request["tag"]), float(request.get("forS", 1.0)))
            case "fault":
                self._reader.fail(Fault(request["kind"]), request.get("times", 1))
            case "remove" | "recover" | "unplug" | "plug" | "power_cycle" as simple:
                getattr(self._reader, simple)()
            case other:
                raise ValueError(f"unknown request {other!r}")
        return {"ok": True}

    def _hold(self, number: str, for_s: float) -> dict[str, Any]:
        before = self._reader.chip.reads
        self._reader.hold(tag_of(number), for_s)
        return {"ok": True, "read": self._reader.wait_for_reads(before + 1, for_s)}
