"""Audit actions about employments."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("employment.changed")
