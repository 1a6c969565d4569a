"""Audit actions of company holidays."""

from stempelwerk_cloud.people.audit.service import Action

CREATED = Action("closure.created")
GIVEN = Action("closure.given")
REMOVED = Action("closure.removed")
