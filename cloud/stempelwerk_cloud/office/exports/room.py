"""A company's month for payroll."""

from datetime import timedelta

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.office.exports import service
from stempelwerk_cloud.office.exports.api import router
from stempelwerk_cloud.office.exports.files import making
from stempelwerk_cloud.office.exports.month.altering import altering
from stempelwerk_cloud.office.exports.tables import Export, MonthLock
from stempelwerk_cloud.people.audit.service import actions_in

KEPT = timedelta(days=6 * 366)
"""The retention of exports, from the end of the year; each row has its own last day."""

_PERIOD = Period("exports", "Exporte und abgeschlossene Monate")

ROOM = Room(
    "exports",
    router,
    retention_rules=(
        RetentionRule(Export.keep_until, period=_PERIOD, granted=KEPT),
        RetentionRule(MonthLock.keep_until, period=_PERIOD, granted=KEPT),
    ),
    ports=(
        ports.EXPORTED.provided_by(service.exported),
        ports.TOLD_ENTRIES.provided_by(service.told_entries),
        ports.ALTERING.provided_by(altering),
    ),
    audit_actions=actions_in(making),
    tasks={service.MAKE: service.do},
)
