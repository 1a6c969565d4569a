"""What is planned, on top of what was worked."""
