"""The process that looks into a stranger's file: `python -I -m … image/jpeg`, content at stdin, the new one at stdout.

It has little memory and time, steps back behind everybody else, and opens nothing: neither files nor connections.
Whatever a bomb or a fault of a parser does to it, it does to this process alone. Exit status 0: it is done; `REFUSED`:
stdout has the reason.
"""

import contextlib
import importlib
import os
import resource
import sys
from types import ModuleType
from typing import NamedTuple

from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

REFUSED = 3
MOST_OUT = 20 * 1024 * 1024
_NICE = 5
"""More, and on a busy machine an honest file would run into the parent's patience."""


class Way(NamedTuple):
    """How files of a kind are made anew. `seconds`: the parent's patience, for processor time is no wall clock."""

    modules: tuple[str, ...]
    """The rewriter, and what is imported only when it is needed, which could not be done later."""
    memory_bytes: int
    cpu_seconds: int
    seconds: int


_PDF = Way(("stempelwerk_cloud.kit.files.rewriting.pdfs",), memory_bytes=512 * 1024 * 1024, cpu_seconds=3, seconds=5)
_IMAGE = Way(
    (
        "stempelwerk_cloud.kit.files.rewriting.images",
        "PIL.JpegImagePlugin",
        "PIL.MpoImagePlugin",
        "PIL.PngImagePlugin",
        "PIL.TiffImagePlugin",
        "PIL.WebPImagePlugin",
        "encodings.latin_1",
        "encodings.ascii",
    ),
    memory_bytes=1024 * 1024 * 1024,
    cpu_seconds=20,
    seconds=20,
)
"""Forty megapixels need more than a document does: as WebP 800 MB, as PNG seven seconds."""
SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SHEET = Way(
    ("stempelwerk_cloud.kit.files.rewriting.sheets", "encodings.cp437", "encodings.latin_1", "encodings.ascii"),
    memory_bytes=512 * 1024 * 1024,
    cpu_seconds=4,
    seconds=8,
)
_WAYS = {"application/pdf": _PDF, SHEET: _SHEET}


def way_of(media_type: str) -> Way:
    return _WAYS.get(media_type, _IMAGE)


def main(media_type: str) -> int:
    with contextlib.suppress(OSError):  # where that is forbidden, it works as well
        os.nice(_NICE)
    load(media_type)
    status, told = looked_into(sys.stdin.buffer.read(), media_type)
    sys.stdout.buffer.write(told)
    sys.stdout.buffer.flush()
    return status


def load(media_type: str) -> ModuleType:
    """What rewrites files of that type, with all that it will need."""
    rewriter, *_ = [importlib.import_module(name) for name in way_of(media_type).modules]
    return rewriter


def looked_into(content: bytes, media_type: str) -> tuple[int, bytes]:
    """The exit status, and what to write. From here on the process is good for nothing else."""
    rewriter, way = load(media_type), way_of(media_type)
    _limit(resource.RLIMIT_AS, way.memory_bytes)
    _limit(resource.RLIMIT_CPU, way.cpu_seconds)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_NOFILE, 0)  # nothing can be opened, and so nothing be read or sent
    try:
        made: bytes = rewriter.rewritten(content, media_type)
        if len(made) > MOST_OUT:
            raise Refused(Reason.TOO_COMPLEX)
    except Refused as refused:
        return _told(refused.reason)
    except (MemoryError, RecursionError):
        return _told(Reason.TOO_COMPLEX)
    except Exception:  # parsers raise whatever they like
        return _told(Reason.DAMAGED)
    return 0, made


def _told(reason: Reason) -> tuple[int, bytes]:
    return REFUSED, reason.value.encode()


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    os._exit(main(sys.argv[1]))  # tidying up what a stranger has built may take longer than building it
