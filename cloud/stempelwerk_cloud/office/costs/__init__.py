"""The costs of people's work: configured rates, and the sums by month and year."""
