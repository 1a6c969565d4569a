"""A month's export by mail."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, MessageType, PerCompanyJob, Period, RetentionRule, Room
from stempelwerk_cloud.office.monthly_mail.api import router
from stempelwerk_cloud.office.monthly_mail.mails import declining, live, sending
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "monthly_mail",
    router,
    jobs=(
        PerCompanyJob("monthly_mail", timedelta(minutes=5), sending.come_round),
        Job("purge_mailed_files", timedelta(hours=1), sending.purge_files, removes=True),
    ),
    retention_rules=(
        RetentionRule(ExportMail.at, sending.KEPT, period=Period("mailedExports", "Liste der E-Mails mit Exporten")),
    ),
    audit_actions=actions_in(declining),
    hears=live.hears,
    tasks={sending.MAKE: sending.make, sending.SEND: sending.send},
    messages=(MessageType("monthly_mail", notification_kind="requests"),),
)
