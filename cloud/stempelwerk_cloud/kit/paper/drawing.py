"""The process that draws: `python -I -m … module Order`, at stdin a line with the order's length, and its JSON.

At stdout it says in lines how much has been drawn, and after an empty one comes the file; if its exit status is not 0,
what went wrong. It steps back behind everybody else, has little memory, and ends when its stdin does: with the service.
"""

import contextlib
import os
import resource
import sys
import threading
import traceback
from importlib import import_module

import msgspec

from stempelwerk_cloud.kit.paper.orders import Order

_NICE = 10
_MEMORY_BYTES = 512 * 1024 * 1024
"""It needs 110 to 160 MB, however many people there are."""
_CPU_SECONDS = 900
"""The longest record for authorities that is one PDF takes ten; the rest is for slow machines."""


def main(module: str, name: str) -> int:
    with contextlib.suppress(OSError):  # where that is forbidden, it works as well
        os.nice(_NICE)
    for what, most in (
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_CPU, _CPU_SECONDS),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        _limit(what, most)
    said = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
    threading.Thread(target=_follow_leash, daemon=True).start()
    try:
        kind: type[Order] = getattr(import_module(module), name)
        status, made = 0, msgspec.json.decode(said, type=kind).drawn(_tell)
    except Exception:
        status, made = 1, traceback.format_exc().encode()
    sys.stdout.buffer.write(b"\n" + made)
    sys.stdout.buffer.flush()
    return status


def _tell(count: int) -> None:
    sys.stdout.buffer.write(b"%d\n" % count)
    sys.stdout.buffer.flush()


def _follow_leash() -> None:
    os.read(0, 1)
    os._exit(1)


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    os._exit(main(*sys.argv[1:]))
