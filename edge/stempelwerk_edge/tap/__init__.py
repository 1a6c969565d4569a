"""The way of a tap: whose it is, what it means, and onto the disk."""
