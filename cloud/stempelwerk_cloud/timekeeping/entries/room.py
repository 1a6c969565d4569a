"""Times of people: derived from stamps and decisions, read, and reviewed."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.entries import actions, presence, review, settings
from stempelwerk_cloud.timekeeping.entries.deriving import derivation
from stempelwerk_cloud.timekeeping.entries.router import router

ROOM = Room(
    "entries",
    router,
    jobs=(
        Job("purge_people_changes", timedelta(hours=1), presence.purge),
        Job("sweep_open_entries", review.SWEPT_EVERY, review.sweep),
    ),
    settings=settings.SETTINGS,
    audit_actions=actions_in(actions),
    hears=derivation.hears,
)
