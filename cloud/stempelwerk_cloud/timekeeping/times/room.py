"""The room of time entries: derived from stamps and decisions, read, and reviewed."""

from stempelwerk_cloud.kit.room import Job, MessageType, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding, derivation
from stempelwerk_cloud.timekeeping.ledger.tables import PeopleChange
from stempelwerk_cloud.timekeeping.times import clock_people
from stempelwerk_cloud.timekeeping.times.api import router
from stempelwerk_cloud.timekeeping.times.review import review

ROOM = Room(
    "entries",
    router,
    jobs=(Job("sweep_open_entries", review.SWEPT_EVERY, review.sweep),),
    # Changes that no clock asks for any more; a clock that missed some gets the whole list.
    retention_rules=(RetentionRule(PeopleChange.changed_at, clock_people.KEPT, unless=clock_people.NEWEST_OF_COMPANY),),
    messages=(MessageType("review", notification_kind="decisions"),),
    settings=settings.SETTINGS,
    audit_actions=actions_in(deciding),
    hears=derivation.hears,
)
