"""A company's month for payroll: checked, locked, exported, and compared with the current one."""

PUBLISHED = ("files.making", "service", "tax_audit.inspection")
