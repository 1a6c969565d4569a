"""The real agents and the real service in one process, with a simulated clock, disk and network."""
