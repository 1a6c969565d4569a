"""Logging in and out, in steps."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.access.guessing.failure_members import refused_for_size
from stempelwerk_cloud.people.access.tables import PendingLogin
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.login import service, steps
from stempelwerk_cloud.people.login.api import router

ROOM = Room(
    "login",
    router,
    retention_rules=(
        RetentionRule(
            PendingLogin.expires_at,
            period=Period("unfinishedLogin", "Angefangene Anmeldungen"),
            granted=steps.LIFE,
            interval=timedelta(minutes=10),
            capped=True,
        ),
    ),
    refused_for_size=refused_for_size(router),
    audit_actions=actions_in(service),
)
