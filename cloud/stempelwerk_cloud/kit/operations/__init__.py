"""Operation: health, metrics, logs, backup."""
