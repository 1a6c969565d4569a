"""The rounds that raise and end alarms, and the messages about them."""
