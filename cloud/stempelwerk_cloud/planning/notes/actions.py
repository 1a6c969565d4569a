"""What the log of decisions says of notes."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("note.changed")
