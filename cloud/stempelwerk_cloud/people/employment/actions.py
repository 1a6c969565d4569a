"""What the log of decisions says of employments."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("employment.changed")
