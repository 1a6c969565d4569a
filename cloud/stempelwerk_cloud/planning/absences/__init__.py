"""Absences: days of illness, missed duties and special absences, and their sick notes."""

PUBLISHED = ("service", "sick_notes.notes")
