"""The room of opening hours and weekly targets, each from a day on."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.facts.rules import RULES_FROM
from stempelwerk_cloud.planning.hours import service
from stempelwerk_cloud.planning.hours.api import router

ROOM = Room("hours", router, settings=(RULES_FROM,), audit_actions=actions_in(service))
