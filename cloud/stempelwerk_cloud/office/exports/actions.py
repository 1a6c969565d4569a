"""What the audit log says of exports."""

from stempelwerk_cloud.people.audit.service import Action

MADE = Action("export.made")
ORDERED = Action("export.ordered")
"""It is to be made behind the scenes; that it was says its row."""
LOCKED = Action("month.locked")
MAPPING_CHANGED = Action("payroll_mapping.changed")
