"""Jobs for each company: a failure for one does not affect the others, and the job reports that some failed."""

from collections.abc import Callable, Iterable
from typing import Any

import structlog

log = structlog.get_logger(__name__)


def for_each_company(job: str, rows: Iterable[tuple[Any, ...]], work: Callable[..., None]) -> bool:
    """Runs the work for each row, which begins with the company's id. Returns False if some failed, which is logged."""
    went_well = True
    for company_id, *arguments in rows:
        try:
            work(company_id, *arguments)
        except Exception as error:
            log.error("job_failed", job=job, company_id=company_id, exc_info=error)
            went_well = False
    return went_well
