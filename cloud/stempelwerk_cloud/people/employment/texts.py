"""How the audit log speaks of weekdays."""

WEEKDAYS = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
"""By the weekday's number."""
