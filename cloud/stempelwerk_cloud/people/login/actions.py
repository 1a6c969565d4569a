"""Audit actions of people who log in."""

from stempelwerk_cloud.people.audit.service import Action

ADDRESS_LINKED = Action("user.address_linked")
