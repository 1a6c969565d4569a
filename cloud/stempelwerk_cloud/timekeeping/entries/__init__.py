"""Time entries: derived from people's stamps and decisions, and kept up to date after each change."""
