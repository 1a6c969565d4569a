"""What the audit log says of logins, in more than one room."""

from stempelwerk_cloud.people.audit.service import Action

PASSWORD_CHANGED = Action("user.password_changed")
PASSWORD_RESET = Action("user.password_reset")
SECOND_FACTOR_REMOVED = Action("user.second_factor_removed")
