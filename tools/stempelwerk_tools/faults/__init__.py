"""Networks that misbehave on purpose, between a real clock and a real service in the tests."""
