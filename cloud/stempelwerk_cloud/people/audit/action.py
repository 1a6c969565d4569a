"""The type of an action's name."""


class Action(str):
    """The name of an audited action, such as `user.created`: the kind of its subject, a dot, and the decision.

    It is a type of its own, so that a room's declaration finds the actions among the constants of a module.
    """

    __slots__ = ()
