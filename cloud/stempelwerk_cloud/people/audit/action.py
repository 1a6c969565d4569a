"""The type of an action's name."""

from typing import NewType

Action = NewType("Action", str)
"""A dotted word (`user.created`): the kind of its subject, and what was decided. Each room has its own in `actions`."""
