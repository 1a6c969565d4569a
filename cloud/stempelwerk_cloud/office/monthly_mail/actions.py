"""What the audit log says of the monthly mail. Addresses are hints: the log is not erased."""

from stempelwerk_cloud.people.audit.service import Action

CHANGED = Action("monthly_mail.changed")
SENT = Action("monthly_mail.sent")
DECLINED = Action("monthly_mail.declined")
RESUMED = Action("monthly_mail.resumed")
