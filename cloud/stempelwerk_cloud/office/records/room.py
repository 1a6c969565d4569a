"""The records of a person, and their retention."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import PerCompanyJob, Room
from stempelwerk_cloud.office.records import data, erasing, years
from stempelwerk_cloud.office.records.api import router
from stempelwerk_cloud.office.records.years import purge_job
from stempelwerk_cloud.people.audit.service import actions_in

__all__ = ["ROOM", "purge_job"]

ROOM = Room(
    "records",
    router,
    jobs=(
        PerCompanyJob("finish_erasures", timedelta(hours=12), erasing.finish, removes=True),
        PerCompanyJob("purge_times", timedelta(hours=12), years.go_round, removes=True),
    ),
    settings=years.SETTINGS,
    audit_actions=actions_in(data, erasing, years),
)
