"""Reading the audit log: which entries an administrator sees, and with which names."""

PUBLISHED = ("listing", "service")
