"""Events of the operator log that no audit log has: logins of system administrators, and commands on the server."""

from stempelwerk_cloud.people.audit.action import Action

LOGGED_IN = Action("login.succeeded")
PASSWORD_RIGHT = Action("login.password_right")
LOGIN_FAILED = Action("login.failed")
LOGIN_PAUSED = Action("login.paused")
LOGIN_LOCKED = Action("login.locked")
CODE_FAILED = Action("login.code_failed")
DEVICE_REMEMBERED = Action("login.device_remembered")
ROOT_ACCEPTED = Action("update.root_accepted")
TIME_CONFIRMED = Action("server.time_confirmed")
RESTORED = Action("server.restored")
KEY_MADE = Action("server.key_made")
KEY_FORGOTTEN = Action("server.key_forgotten")
