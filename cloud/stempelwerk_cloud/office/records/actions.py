"""Audit actions of a person's records."""

from stempelwerk_cloud.people.audit.service import Action

TAKEN = Action("records.taken")
ERASED = Action("records.erased")
PURGED = Action("records.purged")
