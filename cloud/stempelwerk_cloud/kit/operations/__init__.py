"""Operation of the service: health, metrics, logs, backup."""
