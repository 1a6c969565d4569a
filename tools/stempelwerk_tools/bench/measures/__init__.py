"""The measures of the benchmark: one module for each part that `--only` names."""
