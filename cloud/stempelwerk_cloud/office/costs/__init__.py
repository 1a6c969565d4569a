"""What people's work costs: rates as they are set, and what they come to by month and year."""
