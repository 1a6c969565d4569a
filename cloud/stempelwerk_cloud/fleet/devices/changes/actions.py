"""Audit actions of clocks."""

from stempelwerk_cloud.people.audit.actions import Action

ASSIGNED = Action("device.assigned")
UNASSIGNED = Action("device.unassigned")
CHANGED = Action("device.changed")
CHANNEL_SET = Action("device.channel_set")
REVOKED = Action("device.revoked")
REPLACED = Action("device.replaced")
KEY_RESET = Action("device.key_reset")
DECOMMISSIONED = Action("device.decommissioned")
