"""The way from stamps to time entries, and the decisions that change them."""
