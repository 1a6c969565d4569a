"""Audit actions of support."""

from stempelwerk_cloud.people.audit.service import Action

SENT = Action("support.sent")
REPLIED = Action("support.replied")
STATUS = Action("support.status")
