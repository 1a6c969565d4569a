"""The nightly search for people who missed their duty."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import PerCompanyJob, Room
from stempelwerk_cloud.planning.missing import service

ROOM = Room("missing", jobs=(PerCompanyJob("find_missing", timedelta(hours=1), service.sweep),))
