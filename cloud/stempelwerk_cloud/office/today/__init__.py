"""An administrator's day: attendance, pending decisions, and problems of the clocks."""
