"""What is stored about a company, as it is stored, for its administrators to see."""
