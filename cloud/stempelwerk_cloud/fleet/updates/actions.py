"""Audit actions of the repository."""

from stempelwerk_cloud.people.audit.service import Action

PUBLISHED = Action("update.published")
WITHDRAWN = Action("update.withdrawn")
