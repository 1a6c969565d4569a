"""Opening hours and weekly targets, each from a day on."""

PUBLISHED = ("schemas", "service")
