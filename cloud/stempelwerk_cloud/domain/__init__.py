"""The rules of the house: pure functions of facts, with `now`, the zone and the settings as arguments.

It deliberately knows no database, no HTTP, no system clock and no German; nothing outside the standard library is
imported here. Refusals that are part of the trade are values, not exceptions.
"""
