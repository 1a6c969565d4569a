"""Audit actions of a person's records."""

from stempelwerk_cloud.people.audit.actions import Action

TAKEN = Action("records.taken")
ERASED = Action("records.erased")
PURGED = Action("records.purged")
