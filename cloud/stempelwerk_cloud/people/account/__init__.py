"""What a person, or an administrator, does to a login that there already is."""
