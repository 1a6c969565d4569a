"""The check of a stranger's upload by its content: only images and PDFs are accepted, and both are rebuilt from what
they show.

Names and declared types are ignored. A child process inspects the file, so that it cannot harm this one
(`kit/subprocesses`). Few run at once, and a company cannot use up the places of another (`places.py`).
"""

from typing import BinaryIO, NamedTuple

import structlog

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.files.rewriting.jobs import CSV, SHEET, job_of
from stempelwerk_cloud.kit.files.rewriting.refused import Reason
from stempelwerk_cloud.kit.http.problems import Problem, invalid, unavailable
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses.job import REFUSED, TOO_MUCH
from stempelwerk_cloud.kit.subprocesses.pool import ServiceEnds, SubprocessPool

MOST_BYTES = 10 * 1024 * 1024
_HEADER_WITHIN = 1024
log = structlog.get_logger(__name__)

ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "application/pdf": "pdf"}
"""The accepted media types, with their file extensions."""

_SENTENCES = {
    Reason.DAMAGED: "Die Datei ist beschädigt oder nicht lesbar.",
    Reason.TOO_MANY_PIXELS: "Das Bild hat zu viele Bildpunkte (höchstens 40 Megapixel).",
    Reason.TOO_MANY_PAGES: "Die PDF-Datei hat zu viele Seiten (höchstens 20).",
    Reason.ENCRYPTED: "Die PDF-Datei ist verschlüsselt. Bitte eine ohne Passwort hochladen.",
    Reason.TOO_COMPLEX: "Die Datei ist zu aufwendig aufgebaut. Bitte ein einfaches Foto hochladen.",
}
_OF_SHEETS = {
    Reason.DAMAGED: _SENTENCES[Reason.DAMAGED],
    Reason.UNBALANCED: "Die Datei ist nicht lesbar: Anführungszeichen oder Trennzeichen passen nicht.",
    Reason.UNSUPPORTED: "Die Datei ist weder CSV noch XLSX, oder ihre Zeichen sind nicht lesbar.",
    Reason.TOO_MANY_COLUMNS: (
        "Die Datei hat zu viele Spalten (höchstens 64). Bitte die überzähligen Spalten löschen und noch einmal"
        " hochladen."
    ),
    Reason.TOO_MANY_ROWS: "Die Datei hat zu viele Zeilen (höchstens 2.000).",
    Reason.TOO_COMPLEX: "Die Datei ist zu aufwendig aufgebaut. Bitte als CSV speichern und noch einmal hochladen.",
}
_OF_TEXTS = _OF_SHEETS | {
    Reason.TOO_COMPLEX: "Die Datei ist zu aufwendig aufgebaut. Bitte die Liste auf mehrere Dateien aufteilen.",
}
_CODES = {Reason.UNBALANCED: "file_damaged"}
"""Problem codes of reasons that do not have one of their own."""


class Checked(NamedTuple):
    """A rebuilt file that may be stored and shown."""

    content: bytes
    media_type: str


def too_large() -> Problem:
    return Problem(413, "too_large", "Die Datei ist zu groß (höchstens 10 MB).")


async def checked_in_turn(platform: Platform, company_id: str, user_id: str, content: bytes) -> Checked:
    """Returns the result of `checked`, once there is a place for the person (`places.take`). Raises 429 or 503 if no
    place is free in time.
    """
    place = await places.take(platform, company_id, user_id)
    return await platform.bulkheads.files.run(_checked_at, platform.subprocesses, place, content)


def _checked_at(pool: SubprocessPool, place: BinaryIO, content: bytes) -> Checked:
    with place:
        return checked(pool, content, place.fileno())


def checked(pool: SubprocessPool, content: bytes, *descriptors: int) -> Checked:
    """Returns the rebuilt file. Raises 413 beyond 10 MB; 422 for other types, a damaged or too complex file; 503 while
    the service stops.

    `descriptors` stay open until the process that inspects the file has ended.
    """
    if len(content) > MOST_BYTES:
        raise too_large()
    if not content:
        raise invalid("file", "Die Datei ist leer.", "file_empty")
    media_type = kind_of(content)
    if media_type is None:
        raise invalid("file", "Bitte ein Bild (JPG, PNG oder WebP) oder eine PDF-Datei hochladen.", "file_unsupported")
    return Checked(remade(pool, content, media_type, *descriptors), media_type)


def kind_of(content: bytes) -> str | None:
    """Returns the media type by the first bytes; None if it is not accepted. The rest of the file is ignored."""
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    # Mail programs and scanners put lines of their own before the mark; every PDF reader searches so far for it.
    return "application/pdf" if b"%PDF-" in content[: _HEADER_WITHIN + 4] else None


def run(pool: SubprocessPool, content: bytes, media_type: str, *descriptors: int) -> tuple[int, bytes]:
    """Returns the exit status and the output of a child process that rebuilds the content (`SubprocessPool.run`)."""
    return pool.run(job_of(media_type), content, *descriptors)


def remade(pool: SubprocessPool, content: bytes, media_type: str, *descriptors: int) -> bytes:
    """Returns the content as the child process rebuilt it. Raises 422 for damage or too complex content; 503 while the
    service stops.
    """
    try:
        status, output = run(pool, content, media_type, *descriptors)
    except ServiceEnds:
        raise unavailable() from None
    if status == 0:
        return output
    if status == REFUSED:
        raise refused(Reason(output.decode()), media_type)
    if status != TOO_MUCH:
        log.warning("file_refused", status=status, media_type=media_type)
    raise refused(Reason.TOO_COMPLEX if status < 0 or status == TOO_MUCH else Reason.DAMAGED, media_type)


def refused(reason: Reason, media_type: str) -> Problem:
    """Returns 422 with the sentence for that reason."""
    sentence = {SHEET: _OF_SHEETS, CSV: _OF_TEXTS}.get(media_type, _SENTENCES)[reason]
    return invalid("file", sentence, _CODES.get(reason, f"file_{reason.value}"))
