"""Times of people: derived from stamps and decisions, read, and reviewed."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.timekeeping.entries import presence, review
from stempelwerk_cloud.timekeeping.entries.router import router

ROOM = Room(
    "entries",
    router,
    jobs=(
        Job("purge_people_changes", timedelta(hours=1), presence.purge),
        Job("sweep_open_entries", review.SWEPT_EVERY, review.sweep),
    ),
)
