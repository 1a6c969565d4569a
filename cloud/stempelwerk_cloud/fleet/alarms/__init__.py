"""Alarms of clocks, for example silence, a gap, a growing queue or a full disk; shown on the page and sent by mail."""

PUBLISHED = ("service", "tables")
