"""Audit actions of times."""

from stempelwerk_cloud.people.audit.service import Action

CORRECTION_APPROVED = Action("correction.approved")
ENTRY_DELETED = Action("entry.deleted")
CONFIRMED = Action("entry.confirmed")
