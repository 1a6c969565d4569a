"""What an employment says about a person, with the days from which it holds."""
