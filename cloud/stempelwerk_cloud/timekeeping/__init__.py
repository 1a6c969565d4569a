"""From stamps to time entries, and the decisions that change them."""
