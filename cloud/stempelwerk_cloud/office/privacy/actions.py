"""Audit actions of the privacy notice."""

from stempelwerk_cloud.people.audit.service import Action

ACCEPTED = Action("privacy.accepted")
