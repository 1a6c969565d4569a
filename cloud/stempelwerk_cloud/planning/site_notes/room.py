"""Notes for a day that a company's administrators write and all its people read."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.site_notes import service
from stempelwerk_cloud.planning.site_notes.api import router
from stempelwerk_cloud.planning.site_notes.tables import DayNote

ROOM = Room(
    "site_notes",
    router,
    retention_rules=(
        RetentionRule(
            DayNote.day, service.RETENTION, period=Period("dayNotes", "Tagesnotizen"), interval=timedelta(hours=12)
        ),
    ),
    audit_actions=actions_in(service),
    hears=service.hears,
)
