"""The device registry: identities, assignments with their history, leases, heartbeats."""

PUBLISHED = (
    "changes.assignments",
    "changes.keys",
    "queries",
    "reported.beats",
    "reported.listing",
    "reported.states",
    "schemas",
    "service",
    "tables",
)
