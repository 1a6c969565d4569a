"""The room of times: entries that are read and reviewed, and held stamps that wait for an administrator."""

from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.events import (
    ASSIGNMENTS_CHANGED,
    FIGURES_CHANGED,
    PEOPLE_CHANGED,
    PERSON_RULES_CHANGED,
    SETTINGS_CHANGED,
    TAGS_CHANGED,
)
from stempelwerk_cloud.kit.room import Job, MessageType, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.ledger.tables import PeopleChange
from stempelwerk_cloud.timekeeping.times import clock_people
from stempelwerk_cloud.timekeeping.times.api import router
from stempelwerk_cloud.timekeeping.times.held import held, reactions, waiting, watching
from stempelwerk_cloud.timekeeping.times.review import review

ROOM = Room(
    "times",
    router,
    jobs=(Job("sweep_open_entries", review.SWEPT_EVERY, review.sweep),),
    subscriptions={
        TAGS_CHANGED: reactions.tags_changed,
        SETTINGS_CHANGED: reactions.settings_changed,
        PERSON_RULES_CHANGED: reactions.person_rules_changed,
        PEOPLE_CHANGED: reactions.people_changed,
        FIGURES_CHANGED: reactions.figures_changed,
        ASSIGNMENTS_CHANGED: reactions.assignments_changed,
    },
    # Changes that no clock asks for any more; a clock that missed some gets the whole list.
    retention_rules=(RetentionRule(PeopleChange.changed_at, clock_people.KEPT, unless=clock_people.NEWEST_OF_COMPANY),),
    messages=(MessageType("review", notification_kind="decisions"),),
    gauges={"held_stamps": waiting.count_all},
    ports=(
        ports.TAG_WAITING.provided_by(waiting.tag_waits),
        ports.OPEN_GAPS.provided_by(watching.open_gaps),
        ports.TIMES_HELD.provided_by(watching.times_held),
        ports.STAMPS_BY_DAY.provided_by(watching.by_day),
        ports.TAPS_BY_CLOCK.provided_by(watching.taps),
    ),
    audit_names={"stamps": devices.audit_labels},  # a release is about a clock
    audit_actions=actions_in(held),
)
