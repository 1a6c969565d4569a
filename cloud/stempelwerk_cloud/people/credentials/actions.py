"""Audit actions about logins, by their owners or by system administrators."""

from stempelwerk_cloud.people.audit.service import Action

SIGNED_OUT_EVERYWHERE = Action("user.signed_out_everywhere")
PASSWORD_RESET_ALL = Action("user.password_reset_all")
LOCKED = Action("user.locked")
SECOND_FACTOR_ENABLED = Action("user.second_factor_enabled")
SECOND_FACTOR_DISABLED = Action("user.second_factor_disabled")
