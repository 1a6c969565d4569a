"""The end of a company."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import PerCompanyJob, Room
from stempelwerk_cloud.office.closing import purging, tables
from stempelwerk_cloud.office.closing.api import archive_router, router
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "closing",
    router,
    settings_router=archive_router,
    jobs=(PerCompanyJob("purge_companies", timedelta(hours=12), purging.go_round, removes=True),),
    audit_actions=actions_in(tables),
)
