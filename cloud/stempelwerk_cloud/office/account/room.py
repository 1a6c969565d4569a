"""The time account: target, actual, credits, balance; and the vacation that is left."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.account import service
from stempelwerk_cloud.office.account.router import router

ROOM = Room("time_account", router, ports={"balances": service.balances_to_date})
