"""The inbox of a person: their unread messages."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import MessageType, Period, RetentionRule, Room
from stempelwerk_cloud.people.messages import service
from stempelwerk_cloud.people.messages.api import router
from stempelwerk_cloud.people.messages.tables import Message

ROOM = Room(
    "messages",
    router,
    retention_rules=(
        RetentionRule(
            Message.created_at,
            service.RETENTION,
            period=Period("messages", "Nachrichten im Posteingang"),
            interval=timedelta(hours=12),
        ),
    ),
    # Requests for a decision, and reports of what employees did, for administrators, from any room.
    messages=(MessageType("request", notification_kind="requests"),),
    hears=service.hears,
)
