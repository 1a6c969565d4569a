"""Rendering of PDFs and other files in child processes: a thread that renders would hold Python's lock and delay all
requests.

All processes of the installation share three places. Long files, such as those of whole months, take two at most, so
that one is left for short PDFs. A company has one place for each of these kinds, and a person one for PDFs.
"""

import math
import time
from typing import BinaryIO

import msgspec
import structlog

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.problems import Problem, unavailable
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.outbox.tasks import RetryLater
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import orders
from stempelwerk_cloud.kit.subprocesses.job import Job
from stempelwerk_cloud.kit.subprocesses.orders import Order, Tell
from stempelwerk_cloud.kit.subprocesses.pool import ServiceEnds

LONG_PLACES, PLACES = 2, 3
PATIENCE_S = 30.0
"""Seconds that a person's request waits for a place."""
_LOOK_EVERY_S = 0.1
_MIB = 1024 * 1024
_LONG = Job(
    function="",
    argument="",
    memory_bytes=512 * _MIB,
    cpu_seconds=900,
    seconds=1800,
    result_bytes=256 * _MIB,
    nice=10,
    opens_files=True,
    file_bytes=256 * _MIB,
)
"""Limits of a process for a long file. A month of 500 people needs 110 to 200 MiB. The longest inspection in one PDF
takes ten seconds; the rest is for slow machines.
"""
_SHORT = _LONG._replace(cpu_seconds=60, seconds=60)
"""Limits of a process for a person's PDF: a month of one person takes half a second."""
log = structlog.get_logger(__name__)


class NotDrawn(RetryLater):
    """No place was free, or the child process died or ended with the service. A later attempt may succeed."""


def render(
    platform: Platform,
    company_id: str,
    order: Order,
    tell: Tell = lambda _: None,
    patience_s: float = math.inf,
    *,
    is_short: bool = False,
) -> bytes:
    """Returns the file that a child process renders from an order. Blocks its thread. Raises NotDrawn, also after
    `patience_s` seconds without a place.

    `is_short`: the order takes about a second, and does not compete with orders of minutes for the company's place.
    `tell` receives the progress.
    """
    deadline = time.monotonic() + patience_s
    of_company = _of_papers(company_id) if is_short else [f"paper {company_id}"]
    of_all = _of_all(PLACES if is_short else LONG_PLACES)
    while (place := machine_semaphore.try_take(platform, of_company, of_all)) is None:
        if platform.subprocesses.ended.wait(_LOOK_EVERY_S):
            raise _ended()
        if time.monotonic() >= deadline:
            raise NotDrawn(reason="others are drawn")
    with place:
        return _rendered(platform, _SHORT if is_short else _LONG, order, place.fileno(), tell)


async def render_for_person(platform: Platform, company_id: str, user_id: str, order: Order) -> bytes:
    """Returns the file of a person's order. Holds no thread while it waits for a place.

    After half a minute without a place, raises 429 if PDFs of the person or the company occupy it, 503 if those of
    others do.
    """
    place = await machine_semaphore.take_each(
        platform,
        (
            ([f"paper of {company_id} {user_id}"], _yours),
            (_of_papers(company_id), _your_companys),
            (_of_all(PLACES), _everybodys),
        ),
        PATIENCE_S,
    )
    try:
        return await platform.bulkheads.papers.run(_rendered_at, platform, place, order)
    except NotDrawn:
        raise unavailable() from None


def _of_papers(company_id: str) -> list[str]:
    return [f"papers of {company_id}"]


def _of_all(count: int) -> list[str]:
    return [f"paper {number}" for number in range(count)]


def _rendered_at(platform: Platform, place: BinaryIO, order: Order) -> bytes:
    with place:
        return _rendered(platform, _SHORT, order, place.fileno(), lambda _: None)


def _rendered(platform: Platform, limits: Job, order: Order, place: int, tell: Tell) -> bytes:
    kind = f"{type(order).__module__}:{type(order).__name__}"
    job = limits._replace(function=f"{orders.__name__}:{orders.draw.__name__}", argument=kind)
    try:
        status, output = platform.subprocesses.run(job, msgspec.json.encode(order), place, report=tell)
    except ServiceEnds:
        raise _ended() from None
    if status == 0:
        return output
    log.error("paper_not_drawn", status=status, error=output.decode(errors="replace"))
    raise NotDrawn(reason=f"its process ended with {status}")


def _ended() -> NotDrawn:
    return NotDrawn(1, "the service ends")


def _yours() -> Problem:
    return places.busy(429, "Dein voriges PDF wird noch erstellt. Bitte gleich noch einmal versuchen.")


def _your_companys() -> Problem:
    return places.busy(
        429, "Gerade werden schon PDFs für andere aus deiner Firma erstellt. Bitte gleich noch einmal versuchen."
    )


def _everybodys() -> Problem:
    return places.busy(503, "Gerade werden zu viele PDFs erstellt. Bitte gleich noch einmal versuchen.")
