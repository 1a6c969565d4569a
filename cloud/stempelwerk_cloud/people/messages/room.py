"""The inbox of a person: what they were told and have not read."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.messages import service
from stempelwerk_cloud.people.messages.router import router

ROOM = Room("messages", router, jobs=(Job("purge_messages", timedelta(hours=12), service.purge),), hears=service.hears)
