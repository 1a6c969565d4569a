"""Inquiries from the public forms."""

from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.inquiries import service
from stempelwerk_cloud.people.inquiries.api import BODY_BYTES, PATH, router
from stempelwerk_cloud.people.inquiries.tables import Inquiry

ROOM = Room(
    "inquiries",
    router,
    retention_rules=(
        RetentionRule(
            Inquiry.created_at, service.RETENTION_MONTHS, period=Period("inquiries", "Anfragen über die Website")
        ),
    ),
    audit_actions=actions_in(service),
    body_limits={PATH: BODY_BYTES},
    tasks={service.MAIL: service.mail},
)
