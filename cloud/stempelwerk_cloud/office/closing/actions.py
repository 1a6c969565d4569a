"""Audit actions of a company's end."""

from stempelwerk_cloud.people.audit.service import Action

ARCHIVED = Action("company.archived")
PURGED = Action("company.purged")
