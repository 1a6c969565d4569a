"""The type of an action's name, and the events that only the operator log has: logins of system administrators, and
commands on the server.
"""


class Action(str):
    """The name of an audited action, such as `user.created`: the kind of its subject, a dot, and the decision.

    It is a type of its own, so that a room's declaration finds the actions among the constants of a module.
    """

    __slots__ = ()


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
