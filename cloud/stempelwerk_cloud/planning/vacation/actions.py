"""Audit actions of vacation and wishes."""

from stempelwerk_cloud.people.audit.actions import Action

REQUESTED = Action("vacation.requested")
WITHDRAWN = Action("vacation.withdrawn")
APPROVED = Action("vacation.approved")
DECLINED = Action("vacation.declined")
MOVED = Action("vacation.moved")
CANCELLED = Action("vacation.cancelled")
CANCEL_REQUESTED = Action("vacation.cancel_requested")
KEPT = Action("vacation.kept")
ENDED = Action("vacation.ended")
POLICY = Action("vacation.policy")
DAYS = Action("vacation.days")
