"""The programs of a simulated world, and what they run on: time, cards, network."""
