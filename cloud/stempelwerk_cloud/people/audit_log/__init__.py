"""Reading the audit log: which an administrator sees, in which words."""
