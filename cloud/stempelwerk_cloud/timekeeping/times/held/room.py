"""The room of stamps: intake, placement, and held stamps that need an administrator."""

from datetime import timedelta

from sqlalchemy import select

from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.events import (
    ASSIGNMENTS_CHANGED,
    COMPANY_PURGED,
    FIGURES_CHANGED,
    PEOPLE_CHANGED,
    PERSON_RULES_CHANGED,
    SETTINGS_CHANGED,
    TAGS_CHANGED,
)
from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.ledger.intake import late
from stempelwerk_cloud.timekeeping.ledger.tables import (
    QuarantinedStamp,
    Receipt,
    Stamp,
    StampClaim,
    TagNumber,
    UnassignedStamp,
)
from stempelwerk_cloud.timekeeping.times.api import router
from stempelwerk_cloud.timekeeping.times.held import held, reactions, waiting, watching

UNCLAIMED_KEPT = timedelta(days=2 * 366)
"""How long stamps without a company are stored: the minimum for companies' times. A company's stamps are purged by
year.
"""

_STANDS = (
    select(Stamp.id)
    .join(TagNumber, (TagNumber.company_id == Stamp.company_id) & (TagNumber.no == Stamp.tag_no))
    .join(Receipt, (Receipt.tag_no == TagNumber.no) & (Receipt.id == Stamp.id))
    .where(Receipt.id == StampClaim.id)
    .exists()
)

_PERIOD = Period("unclaimedStamps", "Stempel, die keinem Unternehmen gehören, und unlesbare (ab dem Ende ihres Jahres)")

ROOM = Room(
    "stamps",
    router,
    subscriptions={
        TAGS_CHANGED: reactions.tags_changed,
        SETTINGS_CHANGED: reactions.settings_changed,
        PERSON_RULES_CHANGED: reactions.person_rules_changed,
        PEOPLE_CHANGED: reactions.people_changed,
        FIGURES_CHANGED: reactions.figures_changed,
        ASSIGNMENTS_CHANGED: reactions.assignments_changed,
        COMPANY_PURGED: late.company_purged,
    },
    retention_rules=(
        RetentionRule(UnassignedStamp.received_at, UNCLAIMED_KEPT, from_years_end=True, period=_PERIOD),
        RetentionRule(QuarantinedStamp.received_at, UNCLAIMED_KEPT, from_years_end=True, period=_PERIOD),
        RetentionRule(StampClaim.received_at, UNCLAIMED_KEPT, from_years_end=True, unless=_STANDS, period=_PERIOD),
    ),
    gauges={"held_stamps": waiting.count_all},
    ports={
        "tag_waiting": waiting.tag_waits,
        "open_gaps": watching.open_gaps,
        "times_held": watching.times_held,
        "stamps_by_day": watching.by_day,
        "taps_by_clock": watching.taps,
    },
    audit_names={"stamps": devices.audit_labels},  # a release is about a clock
    audit_actions=actions_in(held),
)
