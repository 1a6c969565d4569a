"""The papers about data processing."""
