"""Audit actions of bookings."""

from stempelwerk_cloud.people.audit.service import Action

MADE = Action("booking.made")
