"""Audit actions of the monthly mail. Addresses are logged as hints, because the log is not erased."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("monthly_mail.changed")
SENT = Action("monthly_mail.sent")
DECLINED = Action("monthly_mail.declined")
RESUMED = Action("monthly_mail.resumed")
