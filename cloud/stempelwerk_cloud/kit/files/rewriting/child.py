"""The process that looks into a stranger's file: `python -I -m … image/jpeg`, content at stdin, the new one at stdout.

It has little memory and time, and opens nothing: neither files nor connections. Whatever a bomb or a fault of a parser
does to it, it does to this process alone. Exit status 0: it is done; `REFUSED`: stdout has the reason.
"""

import importlib
import resource
import sys
from types import ModuleType

from stempelwerk_cloud.kit.files.rewriting.refused import Reason, Refused

REFUSED = 3
MEMORY_BYTES = 1024 * 1024 * 1024
CPU_SECONDS = 20
MOST_OUT = 20 * 1024 * 1024
_NEEDED = {
    # Parsers import parts of themselves only when they need them, which they could not later.
    "application/pdf": (
        "stempelwerk_cloud.kit.files.rewriting.pdfs",
        "pypdf._crypt_providers",
        "pypdf.filters",
        "pypdf.generic",
        "PIL.TiffImagePlugin",
        "PIL.Jpeg2KImagePlugin",
        "PIL.JpegImagePlugin",
        "PIL.MpoImagePlugin",
        "encodings.latin_1",
        "encodings.utf_16",
        "encodings.utf_16_be",
        "encodings.utf_16_le",
        "encodings.unicode_escape",
        "encodings.ascii",
        "encodings.charmap",
        "encodings.cp1252",
    ),
    "image": (
        "stempelwerk_cloud.kit.files.rewriting.images",
        "PIL.JpegImagePlugin",
        "PIL.MpoImagePlugin",
        "PIL.PngImagePlugin",
        "PIL.TiffImagePlugin",
        "PIL.WebPImagePlugin",
        "encodings.latin_1",
        "encodings.ascii",
    ),
}


def main(media_type: str) -> int:
    load(media_type)
    status, told = looked_into(sys.stdin.buffer.read(), media_type)
    sys.stdout.buffer.write(told)
    sys.stdout.buffer.flush()
    return status


def load(media_type: str) -> ModuleType:
    """What rewrites files of that type, with all that it will need."""
    is_pdf = media_type == "application/pdf"
    rewriter, *_ = [importlib.import_module(name) for name in _NEEDED[media_type if is_pdf else "image"]]
    return rewriter


def looked_into(content: bytes, media_type: str) -> tuple[int, bytes]:
    """The exit status, and what to write. From here on the process is good for nothing else."""
    rewriter = load(media_type)
    _limit(resource.RLIMIT_AS, MEMORY_BYTES)
    _limit(resource.RLIMIT_CPU, CPU_SECONDS)
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
    sys.exit(main(sys.argv[1]))
