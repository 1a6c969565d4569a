"""Stamps: taken in, placed, and held where somebody has to look."""

from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.events import (
    ASSIGNMENTS_CHANGED,
    COMPANY_PURGED,
    FIGURES_CHANGED,
    PEOPLE_CHANGED,
    PERSON_RULES_CHANGED,
    SETTINGS_CHANGED,
    TAGS_CHANGED,
)
from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.stamps import actions, by_clock, late, reactions, waiting, watching
from stempelwerk_cloud.timekeeping.stamps.router import router

ROOM = Room(
    "stamps",
    router,
    subscriptions={
        TAGS_CHANGED: reactions.tags_changed,
        SETTINGS_CHANGED: reactions.settings_changed,
        PERSON_RULES_CHANGED: reactions.person_rules_changed,
        PEOPLE_CHANGED: reactions.people_changed,
        FIGURES_CHANGED: reactions.figures_changed,
        ASSIGNMENTS_CHANGED: reactions.assignments_changed,
        COMPANY_PURGED: late.company_purged,
    },
    gauges={"held_stamps": waiting.count_all},
    ports={
        "tag_waiting": waiting.tag_waits,
        "open_gaps": watching.open_gaps,
        "stamps_by_day": watching.by_day,
        "taps_by_clock": by_clock.taps,
    },
    audit_names={"stamps": devices.names_then},  # a release is about a clock
    audit_actions=actions_in(actions),
)
