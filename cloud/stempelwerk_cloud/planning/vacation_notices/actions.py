"""Audit actions of notices."""

from stempelwerk_cloud.people.audit.service import Action

SENT = Action("vacation_notice.sent")
