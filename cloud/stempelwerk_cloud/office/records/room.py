"""The records of a person, and their retention."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Room, Round
from stempelwerk_cloud.office.records import actions, erasing, settings, years
from stempelwerk_cloud.office.records.purging import told
from stempelwerk_cloud.office.records.router import router
from stempelwerk_cloud.people.audit.service import actions_in

__all__ = ["ROOM", "told"]

ROOM = Room(
    "records",
    router,
    jobs=(
        Round("finish_erasures", timedelta(hours=12), erasing.finish, removes=True),
        Round("purge_times", timedelta(hours=12), years.go_round, removes=True),
    ),
    settings=settings.SETTINGS,
    audit_actions=actions_in(actions),
)
