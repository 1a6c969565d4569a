"""Requests between processes of this machine: one JSON line each way, over a Unix socket.

Access to the socket's folder is the only guard; there is no network and no stream.
"""

import contextlib
import json
import os
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Message = dict[str, Any]


class Unreachable(ConnectionError):
    """The socket does not answer."""


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    # A socket's address has room for 107 bytes; a project may lie deeper than that.
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def ask(path: Path, request: Message, timeout_s: float = 15.0) -> Message:
    """Sends one request to the socket `path` and returns the answer; Unreachable, or ValueError if it is refused."""
    try:
        with _short(path) as short, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(timeout_s)
            line.connect(short)
            line.sendall(json.dumps(request).encode() + b"\n")
            with line.makefile("rb") as answers:
                answer: Message = json.loads(answers.readline())
    except (OSError, json.JSONDecodeError) as error:
        raise Unreachable(f"nobody answers at {path}: {error}") from error
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer


class LineServer:
    """Serves `handle` at the socket `path` until `close`, each request in a thread of its own.

    A ValueError, KeyError or TypeError of `handle` is a refusal and goes back as `{"error": …}`.
    """

    def __init__(self, path: Path, handle: Callable[[Message], Message]) -> None:
        self.path, self._handle = path, handle
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(json.dumps(outer.answer(self.rfile.readline())).encode() + b"\n")

        with _short(path) as short:
            self._server = socketserver.ThreadingUnixStreamServer(short, Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops serving and removes the socket."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self.path.unlink(missing_ok=True)

    def answer(self, line: bytes) -> Message:
        """Returns the answer to one line."""
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise TypeError("a request is an object")
            return self._handle(request)
        except (ValueError, KeyError, TypeError) as error:
            return {"error": str(error)}
