"""What an operator needs: health, metrics, logs, backup."""
