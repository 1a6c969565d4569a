"""What the log of decisions says of exports."""

from stempelwerk_cloud.people.audit.service import Action

MADE = Action("export.made")
LOCKED = Action("month.locked")
MAPPING_CHANGED = Action("payroll_mapping.changed")
