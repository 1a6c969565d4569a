"""New images for scanners: which exist, and how one is sent over the line in pieces. Nothing here waits.

The clock only transfers an image. The scanner verifies the maker's signature, and goes back on its own if a new image
does not start (docs/contract/scanner/v1). So the version in the scanner's greeting after its next start shows the
outcome. One scanner is updated at a time, and only while it has no tap waiting.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stempelwerk_edge.ports import Report
from stempelwerk_edge.satellites.frames import LONGEST_BODY, Kind
from stempelwerk_edge.satellites.session import Members, Talk

FOLDER = Path(__file__).parents[1] / "firmware"
"""The folder of the scanners' images in a package of the clock."""
TRIES = 3
_AGAIN_MS, _PATIENCE_MS = 1_000, 15_000
_MAGIC, _SIGNATURE_BYTES = b"SWF1", 384
_PIECE_BYTES = LONGEST_BODY - 4
_RECEIVING, _WRITTEN, _REFUSED = 0, 1, 4
_REASONS = ("", "signature", "board", "size", "digest", "storage", "nothing was begun")
_FOR_GOOD = {"signature", "board", "size"}


@dataclass(frozen=True, slots=True)
class Image:
    """A signed image, with its signature: the content of an `.swf` file."""

    board: str
    version: str
    content: bytes

    @property
    def begin(self) -> Members:
        """The members of UPDATE_BEGIN."""
        digest = hashlib.sha256(self.content).digest()
        return {"size": len(self.content), "sha256": digest, "version": self.version}


def order(version: str) -> tuple[list[int], bool, list[int]]:
    """Returns the sort key of a version: one with `-rc.1` comes before the one without."""
    release, _, early = version.partition("-")
    return _numbers(release), not early, _numbers(early)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", text)]


def images_in(folder: Path) -> dict[str, Image]:
    """Returns the newest image for each board in a folder's `*.swf`; skips other and unreadable files."""
    images: dict[str, Image] = {}
    for path in sorted(folder.glob("*.swf")):
        try:
            content = path.read_bytes()
        except OSError:
            continue
        position = len(_MAGIC) + _SIGNATURE_BYTES
        board, version = (_text(content[position : position + 8]), _text(content[position + 8 : position + 20]))
        if content[: len(_MAGIC)] != _MAGIC or not board or not _numbers(version):
            continue
        if board not in images or order(version) > order(images[board].version):
            images[board] = Image(board, version, content)
    return images


def _text(padded: bytes) -> str:
    return padded.rstrip(b"\0").decode("ascii", "replace")


@dataclass(slots=True)
class _Sending:
    """The transfer of an image to a scanner; `last` is the message that was sent at `said_ms` and is not answered
    yet.
    """

    image: Image
    talk: Talk
    last: tuple[Kind, Members]
    said_ms: int
    heard_ms: int

    def make_message(self, now_ms: int) -> bytes:
        """Returns the last message, to be sent for the first time or again."""
        self.said_ms = now_ms
        return self.talk.make_frame(self.last[0], **self.last[1])


class Updates:
    """The updates of scanners by `images` of their boards. Only `update_state` may be called by other threads."""

    def __init__(self, images: Mapping[str, Image], report: Report) -> None:
        self._images, self._report = images, report
        self._sending: _Sending | None = None
        self._written: dict[str, tuple[str, str]] = {}  # serial to the start that wrote it, and its version
        self._failures: Counter[tuple[str, str]] = Counter()

    def update_state(self, serial: str, board: str, version: str) -> dict[str, Any] | None:
        """Returns a scanner's update for the screen: its version and `waiting`, `sending` or `failed`; or None."""
        image = self._newer(board, version)
        if image is None:
            return None
        sending = self._sending
        under_way = serial in self._written or (sending is not None and sending.talk.serial == serial)
        failed = self._failures[serial, image.version] >= TRIES
        return {"version": image.version, "state": "failed" if failed else "sending" if under_way else "waiting"}

    def greeted(self, talk: Talk) -> None:
        """Handles the beginning of a session: after a restart, the scanner's version shows whether its new image
        works.
        """
        serial, hello, sending = talk.serial, talk.hello, self._sending
        if sending is not None and sending.talk.serial == serial and sending.image.version == hello["version"]:
            # The scanner's message that the image is written was lost.
            self._sending, self._written[serial] = None, (sending.talk.hello["boot"], sending.image.version)
        boot, version = self._written.get(serial, (hello["boot"], ""))
        if boot == hello["boot"]:
            return
        del self._written[serial]
        if hello["version"] == version:
            self._report("info", "scanner_updated", f"the scanner {serial} runs {version} now", {})
        else:
            self._failed(serial, version, "it went back to its former image")

    def due(self, talk: Talk, now_ms: int, *, idle: bool) -> bytes:
        """Returns the due message for a scanner, once a second while it is met. `idle`: it has no tap waiting."""
        sending = self._sending
        # The scanner sends other frames but no answer. One that sends nothing may just have been unplugged.
        if sending is not None and sending.talk is talk and sending.heard_ms + _PATIENCE_MS < talk.heard_ms:
            self._failed(talk.serial, sending.image.version, "it does not answer")
            sending = self._sending = None
        if sending is None:
            image = self._newer(talk.hello["board"], talk.hello["version"])
            if not idle or image is None or talk.serial in self._written:
                return b""
            if self._failures[talk.serial, image.version] >= TRIES:
                return b""
            self._sending = _Sending(image, talk, (Kind.UPDATE_BEGIN, image.begin), now_ms, now_ms)
            return self._sending.make_message(now_ms)
        if sending.talk.serial != talk.serial:
            return b""
        if sending.talk is not talk:  # another session: its status shows how far it is
            sending.talk, sending.last = talk, (Kind.UPDATE_BEGIN, sending.image.begin)
            sending.heard_ms = now_ms
            return sending.make_message(now_ms)
        return sending.make_message(now_ms) if now_ms - sending.said_ms >= _AGAIN_MS else b""

    def answered(self, talk: Talk, reply: Members, now_ms: int) -> bytes:
        """Handles an UPDATE_STATE: sends the next piece."""
        sending = self._sending
        if sending is None or sending.talk is not talk:
            return b""
        serial, image, state = talk.serial, sending.image, reply["state"]
        if state == _RECEIVING:
            piece = image.content[reply["offset"] : reply["offset"] + _PIECE_BYTES]
            chunk = (Kind.UPDATE_CHUNK, {"offset": reply["offset"], "data": piece})
            sending.last, sending.heard_ms = chunk if piece else (Kind.UPDATE_END, {}), now_ms
            return sending.make_message(now_ms)
        self._sending = None
        if state == _WRITTEN:
            self._written[serial] = (talk.hello["boot"], image.version)
        elif state == _REFUSED:
            self._failed(serial, image.version, _REASONS[min(reply["reason"], len(_REASONS) - 1)])
        return b""

    def disconnected(self, serial: str) -> None:
        """Handles a scanner that was unplugged: another one may be updated; its own transfer continues later where it
        ended.
        """
        if self._sending is not None and self._sending.talk.serial == serial:
            self._sending = None

    def _newer(self, board: str, version: str) -> Image | None:
        image = self._images.get(board)
        return None if image is None or order(image.version) <= order(version) else image

    def _failed(self, serial: str, version: str, why: str) -> None:
        self._failures[serial, version] += TRIES if why in _FOR_GOOD else 1
        if self._failures[serial, version] >= TRIES:
            message = f"the scanner {serial} does not take {version}, which is not tried any more: {why}"
            self._report("warn", "scanner_update_failed", message, {"serial": serial, "version": version, "why": why})
