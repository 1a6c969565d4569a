"""Logs purges of expired rows that contain decisions of people."""

from functools import partial

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import Keep, Round
from stempelwerk_cloud.office.records import actions
from stempelwerk_cloud.people.work import working


def told(keep: Keep) -> Round:
    """Returns the job that deletes expired rows and logs their number by company."""
    return Round(keep.job.name, keep.every, partial(_purge, keep), removes=True)


def _purge(keep: Keep, platform: Platform) -> None:
    with working(platform, SYSTEM) as work:
        now = work.now()
        for company_id, count in sorted(keep.remove_counted(work.session, now).items()):
            log_values = {"table": keep.table.__tablename__, "count": count, "until": keep.until(now).isoformat()[:10]}
            work.audit(company_id, actions.PURGED, company_id, after=log_values)
