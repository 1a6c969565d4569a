"""Audit actions of rollouts."""

from stempelwerk_cloud.people.audit.service import Action

STARTED = Action("rollout.started")
PAUSED = Action("rollout.paused")
RESUMED = Action("rollout.resumed")
STOPPED = Action("rollout.stopped")
DONE = Action("rollout.done")
ROLLED_BACK = Action("rollout.rolled_back")
