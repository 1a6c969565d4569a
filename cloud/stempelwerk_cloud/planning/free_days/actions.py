"""Audit actions of free days."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("free_days.changed")
