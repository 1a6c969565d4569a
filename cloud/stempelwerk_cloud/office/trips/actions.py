"""What the audit log says of trips: whose, on which day and how far; neither where to nor what for."""

from stempelwerk_cloud.people.audit.service import Action

ASKED = Action("trip.asked")
APPROVED = Action("trip.approved")
DECLINED = Action("trip.declined")
