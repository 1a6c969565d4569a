"""A person's month as a signed statement."""

PUBLISHED = ("keys",)
