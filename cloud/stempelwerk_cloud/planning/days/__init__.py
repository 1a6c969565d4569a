"""What is known of people's days: the one place where it is brought together."""
