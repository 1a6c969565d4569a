"""Alarms of clocks."""

from datetime import timedelta

from stempelwerk_cloud.fleet.alarms import actions, rounds, service, telling
from stempelwerk_cloud.fleet.alarms.router import router
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.kit.events import COMPANY_CLOSED, ROLLOUT_STOPPED
from stempelwerk_cloud.kit.room import PerCompanyJob, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "alarms",
    router,
    jobs=(PerCompanyJob("alarms", timedelta(minutes=1), rounds.run_round, runs_in_doubt=True),),
    retention_rules=(RetentionRule(Alarm.until, 12, period="alarms"),),
    subscriptions={COMPANY_CLOSED: service.company_closed, ROLLOUT_STOPPED: telling.rollout_stopped},
    audit_actions=actions_in(actions),
    hears=service.hears,
    gauges={"open_alarms": service.open_count},
    tasks={
        telling.NOTIFY: telling.notify_audience,
        telling.SEND: telling.send,
        telling.SEND_STOPPED: telling.send_stopped,
    },
)
