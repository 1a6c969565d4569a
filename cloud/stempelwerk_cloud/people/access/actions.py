"""Audit actions about logins that more than one room uses."""

from stempelwerk_cloud.people.audit.actions import Action

PASSWORD_CHANGED = Action("user.password_changed")
PASSWORD_RESET = Action("user.password_reset")
SECOND_FACTOR_REMOVED = Action("user.second_factor_removed")
