"""What the audit log says of the privacy notice."""

from stempelwerk_cloud.people.audit.service import Action

ACCEPTED = Action("privacy.accepted")
