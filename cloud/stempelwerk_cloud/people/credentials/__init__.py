"""Changes to an existing login, by its owner or an administrator."""
