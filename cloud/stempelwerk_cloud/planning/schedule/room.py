"""The roster: people's duties by day."""

from datetime import timedelta

from stempelwerk_cloud.kit.events import EXIT_SET, PEOPLE_CHANGED
from stempelwerk_cloud.kit.room import MessageType, PerCompanyJob, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.schedule import service
from stempelwerk_cloud.planning.schedule.api import router
from stempelwerk_cloud.planning.schedule.editing import changes, publishing
from stempelwerk_cloud.planning.schedule.tables import PublishedDuty

ROOM = Room(
    "schedule",
    router,
    subscriptions={PEOPLE_CHANGED: changes.people_changed, EXIT_SET: changes.exit_set},
    jobs=(PerCompanyJob("tell_near_duties", timedelta(hours=1), publishing.notify_near),),
    audit_actions=actions_in(publishing),
    retention_rules=(RetentionRule(PublishedDuty.date, timedelta(days=2), interval=timedelta(hours=12)),),
    hears=service.topics_of,
    messages=(MessageType("schedule", notification_kind="schedule"),),
)
