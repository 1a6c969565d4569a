"""The time account: target, actual, credits, balance; and the vacation that is left."""

PUBLISHED = ("all_people", "service")
