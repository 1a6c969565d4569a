"""An administrator's day: who is there, what waits for a decision, what is wrong with the clocks."""
