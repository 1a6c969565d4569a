"""Audit actions of calendar addresses."""

from stempelwerk_cloud.people.audit.service import Action

ADDRESS_GIVEN = Action("calendar.address_given")
ADDRESS_ENDED = Action("calendar.address_ended")
