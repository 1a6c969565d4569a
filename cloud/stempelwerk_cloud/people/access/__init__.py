"""The interface of access for other rooms, apart from its guards: who is logged in, by which session, and how that
ends.

`sessions`, `remembered`, `second_factor`, `looks` and `throttle` are its parts, each with its own rules.
"""

PUBLISHED = (
    "actions",
    "guards",
    "guessing.failure_members",
    "guessing.throttle",
    "identity.browsers",
    "identity.remembered",
    "identity.revocation",
    "identity.second_factor",
    "identity.sessions",
    "identity.streams",
    "looks",
    "tables",
    "words",
)
