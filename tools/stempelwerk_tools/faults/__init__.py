"""Networks that misbehave on purpose: what stands between a real clock and a real service in the tests."""
