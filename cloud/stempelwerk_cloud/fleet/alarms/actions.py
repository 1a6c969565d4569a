"""Audit actions of alarms."""

from stempelwerk_cloud.people.audit.service import Action

ACKNOWLEDGED = Action("alarm.acknowledged")
SETTINGS = Action("alarm.settings")
