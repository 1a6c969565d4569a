"""What the audit log says of requests for corrections. What is approved or deleted, `entries` writes down."""

from stempelwerk_cloud.people.audit.service import Action

REQUESTED = Action("correction.requested")
DECLINED = Action("correction.declined")
WITHDRAWN = Action("correction.withdrawn")
