"""The time account: target, actual, credits, balance; and the vacation that is left."""

from datetime import timedelta

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.events import ENTRIES_MOVED
from stempelwerk_cloud.kit.room import PerCompanyJob, Room
from stempelwerk_cloud.office.time_account import service
from stempelwerk_cloud.office.time_account.api import router
from stempelwerk_cloud.office.time_account.cache import balance_cache, cache_refresh

ROOM = Room(
    "time_account",
    router,
    jobs=(PerCompanyJob("keep_balances", timedelta(minutes=1), cache_refresh.refresh),),
    subscriptions={ENTRIES_MOVED: balance_cache.entries_moved},
    ports=(ports.BALANCES.provided_by(service.balances_to_date),),
)
