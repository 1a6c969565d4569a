"""Audit actions of the roster."""

from stempelwerk_cloud.people.audit.service import Action

ASSIGNED = Action("schedule.assigned")
REMOVED = Action("schedule.removed")
CHANGED = Action("schedule.changed")
PUBLISHED = Action("schedule.published")
ENDED = Action("schedule.ended")
