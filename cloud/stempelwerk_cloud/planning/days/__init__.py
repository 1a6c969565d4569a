"""People's days: the one place that combines all facts about them."""

PUBLISHED = ("in_force", "reading", "service")
