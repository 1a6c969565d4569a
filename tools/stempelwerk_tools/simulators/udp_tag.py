"""A simulated tag for nfcpy's `udp:` driver: a second way to tap, which shares only `tags` with the simulated PN532.

It answers the discovery of type A (with the cascades of long numbers) and type F, in nfcpy's own text protocol (`106A
26` for a SENS_REQ), on the loopback interface only. It has no memory and knows no further commands.
"""

import functools
import operator
import select
import socket
import threading
from types import TracebackType
from typing import Self

from .tags import CASCADE_BYTE, Tag, TypeA, TypeF

_SENS_REQ = b"\x26"
_SDD_REQ, _SEL_REQ = 0x20, 0x70
_CASCADE_LEVELS = b"\x93\x95\x97"
_MORE_TO_COME = 0x04


def cascades(uid: bytes) -> list[bytes]:
    """Returns the identifier in the parts that a tag sends, five bytes each with their check byte."""
    parts, remaining = [], uid
    while len(remaining) > 4:
        parts.append(bytes([CASCADE_BYTE]) + remaining[:3])
        remaining = remaining[3:]
    return [part + bytes([functools.reduce(operator.xor, part)]) for part in [*parts, remaining]]


def reply(tag: Tag | None, technology: str, request: bytes) -> bytes | None:
    """Returns the answer of `tag` to a discovery command, None if it stays silent."""
    if isinstance(tag, TypeA) and technology == "106A":
        return tag.sens_res.to_bytes(2, "little") if request == _SENS_REQ else _anticollision(tag, request)
    if isinstance(tag, TypeF) and technology == "212F" and request[1:2] == b"\x00":
        answer = b"\x01" + tag.idm + tag.pmm + (tag.system if request[4:5] == b"\x01" else b"")
        return bytes([len(answer) + 1]) + answer
    return None


def _anticollision(tag: TypeA, request: bytes) -> bytes | None:
    parts, level = cascades(tag.uid), _CASCADE_LEVELS.find(request[:1])
    if len(request) < 2 or not 0 <= level < len(parts):
        return None
    if request[1] == _SDD_REQ:
        return parts[level]
    if request[1] == _SEL_REQ and request[2:] == parts[level]:
        return bytes([tag.sel_res | (_MORE_TO_COME if level + 1 < len(parts) else 0)])
    return None


class UdpTag:
    """A simulated tag within reach of an nfcpy reader that is opened as `path`.

    It answers in a thread of its own, which ends with the `with` block. `hold` and `remove` may be called from any
    thread; without a tag it stays silent.
    """

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._tag: Tag | None = None
        self._stop_in, self._stop_out = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="udp-tag", daemon=True)
        self._thread.start()

    @property
    def path(self) -> str:
        """The path for nfcpy."""
        return f"udp:127.0.0.1:{self._socket.getsockname()[1]}"

    def hold(self, tag: Tag) -> None:
        """Puts a tag into the field."""
        self._tag = tag

    def remove(self) -> None:
        """Takes the tag away."""
        self._tag = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop_out.send(b"x")
        self._thread.join()
        for end in (self._socket, self._stop_in, self._stop_out):
            end.close()

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._socket, self._stop_in], [], [])
            if self._stop_in in ready:
                return
            data, sender = self._socket.recvfrom(1024)
            technology, _, digits = data.decode("ascii").partition(" ")
            answer = reply(self._tag, technology, bytes.fromhex(digits))
            if answer is not None:
                self._socket.sendto(f"{technology} {answer.hex()}".encode(), sender)
