"""Logging in and out, in steps."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.access.service import refused_for_size
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.login import actions, service
from stempelwerk_cloud.people.login.router import router

ROOM = Room(
    "login",
    router,
    jobs=(Job("purge_unfinished_logins", timedelta(minutes=10), service.purge),),
    refused_for_size=refused_for_size(router),
    audit_actions=actions_in(actions),
)
