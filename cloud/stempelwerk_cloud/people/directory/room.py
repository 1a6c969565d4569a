"""Companies and people for all rooms."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.directory.companies import TIME_ZONE

ROOM = Room("directory", settings=(TIME_ZONE,))
