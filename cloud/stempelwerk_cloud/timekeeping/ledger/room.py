"""The room of stamps, decisions and derived entries. It has no calls: other rooms read and decide."""

from datetime import timedelta

from sqlalchemy import select

from stempelwerk_cloud.kit.events import COMPANY_PURGED
from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding, derivation
from stempelwerk_cloud.timekeeping.ledger.intake import late
from stempelwerk_cloud.timekeeping.ledger.tables import (
    QuarantinedStamp,
    Receipt,
    Stamp,
    StampClaim,
    TagNumber,
    UnassignedStamp,
)

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
    "ledger",
    subscriptions={COMPANY_PURGED: late.company_purged},
    retention_rules=(
        RetentionRule(UnassignedStamp.received_at, UNCLAIMED_KEPT, from_years_end=True, period=_PERIOD),
        RetentionRule(QuarantinedStamp.received_at, UNCLAIMED_KEPT, from_years_end=True, period=_PERIOD),
        RetentionRule(StampClaim.received_at, UNCLAIMED_KEPT, from_years_end=True, unless=_STANDS, period=_PERIOD),
    ),
    settings=settings.SETTINGS,
    audit_actions=actions_in(deciding),
    hears=derivation.hears,
)
