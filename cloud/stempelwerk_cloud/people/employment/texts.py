"""Weekday labels of the audit log."""

WEEKDAYS = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
"""Labels by the weekday's number."""
