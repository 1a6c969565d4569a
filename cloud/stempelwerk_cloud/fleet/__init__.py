"""The fleet of clocks: registry, assignments, heartbeats, alarms, device logs, updates and support."""
