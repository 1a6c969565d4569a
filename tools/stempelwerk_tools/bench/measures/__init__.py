"""What is measured, a module for each `--only`."""
