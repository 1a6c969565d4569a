"""The stored data of a company."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.data_view.api import router

ROOM = Room("data_view", router)
