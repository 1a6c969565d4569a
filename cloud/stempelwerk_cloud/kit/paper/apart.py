"""Draws paper in a process of its own: whoever draws keeps Python's lock, and everybody's answers would wait for it.

Of a company one at a time, of all two, however many processes serve: whatever one company wants drawn, there is a place
left for the others.
"""

import math
import subprocess
import time

import msgspec
import structlog

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.paper import processes
from stempelwerk_cloud.kit.paper.orders import Order, Tell
from stempelwerk_cloud.kit.paper.processes import NotDrawn
from stempelwerk_cloud.kit.platform import Platform

OF_ALL = 2
_LOOK_EVERY_S = 0.1
log = structlog.get_logger(__name__)


def drawn(
    platform: Platform, company_id: str, order: Order, tell: Tell = lambda _: None, patience_s: float = math.inf
) -> bytes:
    """What the order makes of itself, off the event loop. NotDrawn, also after so long without a place."""
    deadline = time.monotonic() + patience_s
    names = [f"paper {number}" for number in range(OF_ALL)]
    while (place := places.try_take(platform, [f"paper {company_id}"], names)) is None:
        if platform.drawing.ended.wait(_LOOK_EVERY_S):
            raise processes.ended()
        if time.monotonic() >= deadline:
            raise NotDrawn(reason="others are drawn")
    with place, platform.drawing.process(type(order), place) as process:
        made, status = _heard(process, msgspec.json.encode(order), tell)
    if status == 0:
        return made
    if platform.drawing.ended.is_set():
        raise processes.ended()
    log.error("paper_not_drawn", status=status, error=made.decode())
    raise NotDrawn(reason=f"its process ended with {status}")


def _heard(process: subprocess.Popen[bytes], order: bytes, tell: Tell) -> tuple[bytes, int]:
    """What comes after all that is told of it, and the exit status."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(b"%d\n" % len(order) + order)
        process.stdin.flush()
    except BrokenPipeError:
        pass  # its status says more
    for line in iter(process.stdout.readline, b"\n"):
        if not line:
            break
        tell(int(line))
    return process.stdout.read(), process.wait()
