"""Notes for a day that a company's administrators write and all its people read."""
