"""Logs purges of expired rows that contain decisions of people."""

from functools import partial

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import PerCompanyJob, RetentionRule
from stempelwerk_cloud.office.records import actions
from stempelwerk_cloud.people.work import unit_of_work


def purge_job(keep: RetentionRule) -> PerCompanyJob:
    """Returns the job that deletes expired rows and logs their number by company."""
    return PerCompanyJob(keep.job.name, keep.interval, partial(_purge, keep), removes=True)


def _purge(keep: RetentionRule, platform: Platform) -> None:
    with unit_of_work(platform, SYSTEM) as work:
        now = work.now()
        for company_id, count in sorted(keep.remove_counted(work.session, now).items()):
            log_values = {"table": keep.table.__tablename__, "count": count, "until": keep.cutoff(now).isoformat()[:10]}
            work.audit(company_id, actions.PURGED, company_id, new_values=log_values)
