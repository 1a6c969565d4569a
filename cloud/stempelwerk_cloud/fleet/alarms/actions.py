"""What is decided here, as it stands in the log."""

from stempelwerk_cloud.people.audit.service import Action

ACKNOWLEDGED = Action("alarm.acknowledged")
SETTINGS = Action("alarm.settings")
