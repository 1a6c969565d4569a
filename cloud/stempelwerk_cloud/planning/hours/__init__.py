"""Opening hours and weekly targets, from a day on."""
