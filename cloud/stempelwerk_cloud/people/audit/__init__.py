"""The audit log: who decided what and when, in a hash chain that reveals tampering."""

PUBLISHED = ("action", "actions", "chain", "operators", "service", "tables")
