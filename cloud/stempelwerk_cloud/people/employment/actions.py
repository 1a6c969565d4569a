"""What the audit log says of employments."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("employment.changed")
