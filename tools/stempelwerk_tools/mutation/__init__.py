"""How good the Python tests are: a sample of mutants, and how many of them the tests kill."""
