"""Minutes and vacation days that an administrator books on a person's account."""
