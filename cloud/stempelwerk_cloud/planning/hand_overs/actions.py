"""Audit actions of hand-overs."""

from stempelwerk_cloud.people.audit.service import Action

REQUESTED = Action("handoff.requested")
ACCEPTED = Action("handoff.accepted")
DECLINED = Action("handoff.declined")
WITHDRAWN = Action("handoff.withdrawn")
ENDED = Action("handoff.ended")
