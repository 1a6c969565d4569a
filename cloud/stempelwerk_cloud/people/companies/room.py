"""Companies, their modules and settings."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.companies.router import router

ROOM = Room("companies", router)
