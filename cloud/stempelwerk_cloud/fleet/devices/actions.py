"""What the log of decisions says of clocks."""

from stempelwerk_cloud.people.audit.service import Action

ASSIGNED = Action("device.assigned")
UNASSIGNED = Action("device.unassigned")
CHANGED = Action("device.changed")
