"""Time entries: the projection of a person's facts, kept up to date stretch by stretch."""
