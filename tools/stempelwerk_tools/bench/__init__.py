"""Measures the product beside peers and limits, and judges the goals; never part of a test run."""
