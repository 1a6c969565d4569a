"""Live events: hints that committed transactions send to open pages and connected clocks, across all processes."""
