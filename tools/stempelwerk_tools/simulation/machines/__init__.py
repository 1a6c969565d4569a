"""The programs of a simulated world, and their environment: time, cards, network."""
