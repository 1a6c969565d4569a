"""Work that goes round: what fails for one fails for no other, and whoever asked for the round hears that it did."""

from collections.abc import Callable, Iterable
from typing import Any

import structlog

log = structlog.get_logger(__name__)


def each(job: str, asked: Iterable[tuple[Any, ...]], work: Callable[..., None]) -> bool:
    """The work for each, which begins with the company's id. False: it failed for some, which is logged."""
    went_well = True
    for company_id, *more in asked:
        try:
            work(company_id, *more)
        except Exception as error:
            log.error("job_failed", job=job, company_id=company_id, exc_info=error)
            went_well = False
    return went_well
