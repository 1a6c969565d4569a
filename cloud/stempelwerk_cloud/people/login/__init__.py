"""From company, username and password to a session."""
