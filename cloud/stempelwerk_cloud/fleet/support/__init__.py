"""What companies write to the operator's support, and the answers."""
