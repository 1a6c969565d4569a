"""Audit actions of rates and wages."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("compensation.changed")
PERSON = Action("compensation.person")
