"""Audit actions about people."""

from stempelwerk_cloud.people.audit.service import Action

CREATED = Action("user.created")
CHANGED = Action("user.changed")
ROLE = Action("user.role")
TAG = Action("user.tag")
WORKS_COUNCIL = Action("user.works_council")
DELETED = Action("user.deleted")
