"""Audit actions of statements."""

from stempelwerk_cloud.people.audit.service import Action

MADE = Action("statement.made")
