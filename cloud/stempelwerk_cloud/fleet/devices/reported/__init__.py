"""What clocks report, and the lists made of it."""
