"""Sessions, their events, remembered devices and counted failures: what is over is removed."""

from datetime import timedelta

from stempelwerk_cloud.kit.limits.backoff import FailureCounter
from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.access import actions, looks
from stempelwerk_cloud.people.access.api import router
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.identity import remembered, sessions
from stempelwerk_cloud.people.access.tables import AccessLook, RememberedDevice, Ticket, WebSession
from stempelwerk_cloud.people.audit.service import actions_in

OFTEN = timedelta(minutes=10)

ROOM = Room(
    "access",
    router,
    retention_rules=(
        RetentionRule(
            WebSession.expires_at,
            period=Period("session", "Sitzungen"),
            granted=sessions.SESSION_LIFE,
            interval=OFTEN,
            capped=True,
        ),
        RetentionRule(Ticket.expires_at, granted=sessions.TICKET_LIFE, interval=OFTEN, capped=True),
        RetentionRule(
            RememberedDevice.expires_at,
            period=Period("remembered", "Gemerkte Geräte"),
            granted=remembered.LIFE,
            interval=OFTEN,
            capped=True,
        ),
        RetentionRule(
            FailureCounter.expires_at,
            period=Period("familiarAddress", "Bekannte Internetadressen von Konten (als Hash)"),
            granted=throttle.FAMILIAR,
            interval=OFTEN,
            capped=True,
        ),
        RetentionRule(
            AccessLook.at,
            looks.RETENTION,
            period=Period("accessLooks", "Wer wessen Zeiten angesehen hat"),
            interval=timedelta(hours=12),
        ),
    ),
    audit_actions=actions_in(actions),
)
