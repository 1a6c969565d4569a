"""The business rules as pure functions of facts, with `now`, the zone and the settings as arguments.

The package knows no database, no HTTP, no system clock and no German, and imports only the standard library. Refusals
that belong to the business are values, not exceptions.
"""
