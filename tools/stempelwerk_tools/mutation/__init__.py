"""The quality of the Python tests: a sample of mutants, and how many of them the tests kill."""
