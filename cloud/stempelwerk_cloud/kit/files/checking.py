"""What a stranger's file may be, judged by what is in it: an image or a PDF, made anew from what it shows.

Names and declared types say nothing here. The looking is done in a process of its own, which cannot hurt this one
(`rewriting/child.py`); few at once, and none at another company's expense (`places.py`).
"""

import signal
import subprocess
import sys
from typing import BinaryIO, NamedTuple

import structlog

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.files.rewriting import child
from stempelwerk_cloud.kit.files.rewriting.child import SHEET
from stempelwerk_cloud.kit.files.rewriting.refused import Reason
from stempelwerk_cloud.kit.http.problems import Problem, invalid
from stempelwerk_cloud.kit.platform import Platform

MOST_BYTES = 10 * 1024 * 1024
_HEADER_WITHIN = 1024
TIMED_OUT = -signal.SIGKILL
log = structlog.get_logger(__name__)

ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "application/pdf": "pdf"}
"""What is taken, and how its name ends."""

_SENTENCES = {
    Reason.DAMAGED: "Die Datei ist beschädigt oder nicht lesbar.",
    Reason.TOO_MANY_PIXELS: "Das Bild hat zu viele Bildpunkte (höchstens 40 Megapixel).",
    Reason.TOO_MANY_PAGES: "Die PDF-Datei hat zu viele Seiten (höchstens 20).",
    Reason.ENCRYPTED: "Die PDF-Datei ist verschlüsselt. Bitte eine ohne Passwort hochladen.",
    Reason.TOO_COMPLEX: "Die Datei ist zu aufwendig aufgebaut. Bitte ein einfaches Foto hochladen.",
}
_OF_SHEETS = {
    Reason.DAMAGED: _SENTENCES[Reason.DAMAGED],
    Reason.TOO_MANY_ROWS: "Die Datei hat zu viele Zeilen (höchstens 2.000).",
    Reason.TOO_COMPLEX: "Die Datei ist zu aufwendig aufgebaut. Bitte als CSV speichern und noch einmal hochladen.",
}


class Checked(NamedTuple):
    """A file as it may be kept and shown."""

    content: bytes
    media_type: str


def too_large() -> Problem:
    return Problem(413, "too_large", "Die Datei ist zu groß (höchstens 10 MB).")


async def checked_in_turn(platform: Platform, company_id: str, user_id: str, content: bytes) -> Checked:
    """What `checked` says, as soon as there is a place for that person; 429 or 503 if there is none for a moment."""
    place = await places.take(platform, company_id, user_id)
    return await platform.bulkheads.files.run(_checked_at, place, content)


def _checked_at(place: BinaryIO, content: bytes) -> Checked:
    with place:
        return checked(content, place.fileno())


def checked(content: bytes, *held: int) -> Checked:
    """The file made anew. 413 for more than 10 MB; 422 for what is none of these, is damaged, or too much.

    `held`: descriptors that stay open for as long as somebody looks into the file, even if this process ends.
    """
    if len(content) > MOST_BYTES:
        raise too_large()
    if not content:
        raise invalid("file", "Die Datei ist leer.", "file_empty")
    media_type = kind_of(content)
    if media_type is None:
        raise invalid("file", "Bitte ein Bild (JPG, PNG oder WebP) oder eine PDF-Datei hochladen.", "file_unsupported")
    return Checked(remade(content, media_type, *held), media_type)


def kind_of(content: bytes) -> str | None:
    """The media type by the first bytes; None: nothing that is taken. What a file says further on is not asked."""
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    # Mail programs and scanners put lines of their own before it; every reader looks so far.
    return "application/pdf" if b"%PDF-" in content[: _HEADER_WITHIN + 4] else None


def run(content: bytes, media_type: str, *held: int) -> tuple[int, bytes]:
    """The exit status of a process that looks into the content (negative: the signal that ended it), and what it says.

    `TIMED_OUT` if it takes too long. It is isolated (-I): neither its folder nor its environment says what it imports.
    """
    command = [sys.executable, "-I", "-m", child.__name__, media_type]
    try:
        done = subprocess.run(  # noqa: S603 -- the program is ours, and the media type one of five
            command,
            check=False,
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=child.way_of(media_type).seconds,
            pass_fds=held,
            env={},
            cwd="/",
        )
    except subprocess.TimeoutExpired:
        return TIMED_OUT, b""
    return done.returncode, done.stdout


def remade(content: bytes, media_type: str, *held: int) -> bytes:
    """What the process makes of the content. 422 for what is damaged, or too much."""
    status, told = run(content, media_type, *held)
    if status == 0:
        return told
    if status == child.REFUSED:
        raise refused(Reason(told.decode()), media_type)
    log.warning("file_refused", status=status, media_type=media_type)
    raise refused(Reason.TOO_COMPLEX if status < 0 else Reason.DAMAGED, media_type)


def refused(reason: Reason, media_type: str) -> Problem:
    """422 with the sentence for that reason."""
    sentence = (_OF_SHEETS if media_type == SHEET else _SENTENCES)[reason]
    return invalid("file", sentence, f"file_{reason.value}")
