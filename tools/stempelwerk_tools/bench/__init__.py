"""The benchmark measures the product next to peers and limits, and judges the goals. It is never a part of tests."""
