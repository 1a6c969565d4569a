"""A company's month for payroll: checked, locked, exported, and what has become different since."""
