"""Absences: days of illness, missed duties and special absences, and their sick notes."""
