"""The audit log: who decided what, when, in a chain that shows it when somebody has been at it."""
