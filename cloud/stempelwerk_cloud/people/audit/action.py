"""The type of an action's name."""

from typing import NewType

Action = NewType("Action", str)
"""The name of an audited action, such as `user.created`: the kind of its subject, a dot, and the decision. Each room
lists its own in `actions`.
"""
