"""What the audit log says of logins, by whoever logs in."""

from stempelwerk_cloud.people.audit.service import Action

ADDRESS_LINKED = Action("user.address_linked")
