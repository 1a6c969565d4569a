"""Audit actions of held stamps."""

from stempelwerk_cloud.people.audit.service import Action

TAG_GIVEN = Action("stamps.tag_given")
RESOLVED = Action("stamps.resolved")
RELEASED = Action("stamps.released")
