"""The room of rollouts, which bring a version to the clocks of a channel in stages."""

from datetime import timedelta

from stempelwerk_cloud.fleet.rollouts import advancing, offers, service
from stempelwerk_cloud.fleet.rollouts.api import router
from stempelwerk_cloud.kit.events import RELEASE_WITHDRAWN
from stempelwerk_cloud.kit.room import PerCompanyJob, Room
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "rollouts",
    router,
    jobs=(PerCompanyJob("advance_rollouts", timedelta(minutes=1), advancing.advance),),
    loop=offers.refresh_periodically,
    hears=service.hears,
    gauges={"stopped_rollouts": service.stopped_count},
    subscriptions={RELEASE_WITHDRAWN: service.release_withdrawn},
    audit_actions=actions_in(service),
    audit_names={"rollout": service.audit_labels},
)
