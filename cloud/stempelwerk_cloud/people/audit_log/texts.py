"""What the audit log says of itself."""

SYSTEM_ADMINISTRATOR = "System-Admin"
"""A system administrator, to somebody who is not shown which one."""
