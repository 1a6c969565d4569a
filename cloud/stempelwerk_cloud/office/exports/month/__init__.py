"""A month for payroll: read, compared and checked."""
