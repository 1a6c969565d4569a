"""Days of illness or missed duties, and their sick notes."""
