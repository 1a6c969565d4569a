"""Reading the log of decisions: which an administrator sees, in which words."""
