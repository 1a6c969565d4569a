"""What people do to their own login, and administrators to other people's."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.access.service import refused_for_size
from stempelwerk_cloud.people.account.router import router

ROOM = Room("account", router, refused_for_size=refused_for_size(router))
