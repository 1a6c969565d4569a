"""Alarms of clocks: a silent one, a gap, a queue, a full disk; on the page and by mail."""
