"""A company's month for payroll: checked, locked, exported, and compared with the current one."""
