"""The employer's notices of vacation that lapses."""
