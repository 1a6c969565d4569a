"""The room of time entries: derived from stamps and decisions, read, and reviewed."""

from stempelwerk_cloud.kit.room import Job, MessageType, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.entries import actions, presence, review, settings
from stempelwerk_cloud.timekeeping.entries.deriving import derivation
from stempelwerk_cloud.timekeeping.entries.router import router
from stempelwerk_cloud.timekeeping.entries.tables import PeopleChange

ROOM = Room(
    "entries",
    router,
    jobs=(Job("sweep_open_entries", review.SWEPT_EVERY, review.sweep),),
    # Changes that no clock asks for any more; a clock that missed some gets the whole list.
    retention_rules=(RetentionRule(PeopleChange.changed_at, presence.KEPT, unless=presence.NEWEST_OF_COMPANY),),
    messages=(MessageType("review", notification_kind="decisions"),),
    settings=settings.SETTINGS,
    audit_actions=actions_in(actions),
    hears=derivation.hears,
)
