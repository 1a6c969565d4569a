"""The end of a company: everything given to it, what is kept and until when, the purge, and what stays of it."""
