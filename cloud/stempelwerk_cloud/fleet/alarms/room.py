"""The room of alarms about clocks and the installation."""

from datetime import timedelta

from stempelwerk_cloud.fleet.alarms import service
from stempelwerk_cloud.fleet.alarms.api import router
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.alarms.watch import notifications, rounds
from stempelwerk_cloud.kit.events import COMPANY_CLOSED, ROLLOUT_STOPPED
from stempelwerk_cloud.kit.room import PerCompanyJob, Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "alarms",
    router,
    jobs=(PerCompanyJob("alarms", timedelta(minutes=1), rounds.run_round, runs_in_doubt=True),),
    retention_rules=(
        RetentionRule(Alarm.until, 12, period=Period("alarms", "Alarme der Uhren, und wer sie bestätigt hat")),
    ),
    subscriptions={COMPANY_CLOSED: service.company_closed, ROLLOUT_STOPPED: notifications.rollout_stopped},
    audit_actions=actions_in(service),
    hears=service.hears,
    gauges={"open_alarms": service.open_count},
    tasks={
        notifications.NOTIFY: notifications.notify_audience,
        notifications.SEND: notifications.send,
        notifications.SEND_STOPPED: notifications.send_stopped,
    },
)
