"""Planning: hours, duties and leave, and the resulting absences."""
