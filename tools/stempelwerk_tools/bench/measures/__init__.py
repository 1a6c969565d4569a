"""The measures, a module for each `--only`."""
