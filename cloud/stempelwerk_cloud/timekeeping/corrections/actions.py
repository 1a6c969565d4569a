"""Audit actions of correction requests. The room `entries` records approvals and deletions."""

from stempelwerk_cloud.people.audit.service import Action

REQUESTED = Action("correction.requested")
DECLINED = Action("correction.declined")
WITHDRAWN = Action("correction.withdrawn")
