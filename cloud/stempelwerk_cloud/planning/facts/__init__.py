"""Facts of days: tables of plans, leave, absences and bookings, and the computation of weekly targets and holidays."""
