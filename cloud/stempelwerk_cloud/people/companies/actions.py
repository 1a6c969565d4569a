"""Audit actions about companies."""

from stempelwerk_cloud.people.audit.service import Action

CREATED = Action("company.created")
DELETED = Action("company.deleted")
FEATURES = Action("company.features")
SETTINGS = Action("company.settings")
