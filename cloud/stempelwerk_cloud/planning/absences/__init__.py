"""Days on which somebody was ill or did not come, and their sick notes."""
