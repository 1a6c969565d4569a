"""Audit actions about inquiries."""

from stempelwerk_cloud.people.audit.service import Action

DELETED = Action("inquiry.deleted")
