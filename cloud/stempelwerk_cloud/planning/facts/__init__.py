"""Facts of days: tables of plans, leave, absences and bookings, and the computation of weekly targets and holidays."""

PUBLISHED = ("holidays", "hours", "leave", "rules", "tables")
