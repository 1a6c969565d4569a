"""Work that goes round: what fails for one fails for no other, and whoever asked for the round hears that it did."""

from collections.abc import Callable, Iterable
from typing import Any

import structlog

log = structlog.get_logger(__name__)


def each(job: str, rows: Iterable[tuple[Any, ...]], work: Callable[..., None]) -> bool:
    """The work for each, which begins with the company's id. False: it failed for some, which is logged."""
    went_well = True
    for company_id, *arguments in rows:
        try:
            work(company_id, *arguments)
        except Exception as error:
            log.error("job_failed", job=job, company_id=company_id, exc_info=error)
            went_well = False
    return went_well
