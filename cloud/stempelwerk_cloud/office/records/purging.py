"""What goes because its time is over stands in the log, where somebody had decided about it."""

from functools import partial

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import Keep, Round
from stempelwerk_cloud.office.records import actions
from stempelwerk_cloud.people.work import working


def told(keep: Keep) -> Round:
    """The work that removes what is over, and writes down how many rows of each company went."""
    return Round(keep.job.name, keep.every, partial(_purge, keep), removes=True)


def _purge(keep: Keep, platform: Platform) -> None:
    with working(platform, SYSTEM) as work:
        now = work.now()
        for company_id, count in sorted(keep.remove_counted(work.session, now).items()):
            said = {"table": keep.table.__tablename__, "count": count, "until": keep.until(now).isoformat()[:10]}
            work.audit(company_id, actions.PURGED, company_id, after=said)
