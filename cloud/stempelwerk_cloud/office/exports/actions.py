"""Audit actions of exports."""

from stempelwerk_cloud.people.audit.service import Action

MADE = Action("export.made")
ORDERED = Action("export.ordered")
"""An order for a background export. Its completion is recorded in its row."""
LOCKED = Action("month.locked")
MAPPING_CHANGED = Action("payroll_mapping.changed")
