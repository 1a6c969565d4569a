"""What days rest on: the tables of plans, leave, absences and bookings, and what makes weekly targets and holidays."""
