"""Which shift an approved correction concerns stands with it: by that shift's first stamp, none if it made one.

Those that stand are settled by what holds of them: they keep the shift whose stamps they cover, also one that their
bounds only touch.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.domain.entries import shifts
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.islands import split
from stempelwerk_cloud.domain.entries.stamps import Direction, Stamp, order
from stempelwerk_cloud.domain.entries.timeline import Timeline
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.kit.database import columns

revision = "0013_settled_corrections"
down_revision = "0012_changed_duties"
branch_labels = None
depends_on = None

_COLUMNS = {"entry_id": "shift", "entry_at": "shift_at"}

# As `timekeeping/words.py` and `timekeeping/ledger/settings.py` had it at this revision.
_DIRECTIONS: tuple[Direction, ...] = ("auto", "in", "out")
_ANSWER, _DISCARDED = 0x100, 0x100
_RULED = {"time_zone": "zone", "double_tap_seconds": "double_tap_s", "max_shift_hours": "max_shift_h"}


def _table(name: str, ids: str = "", instants: str = "", others: str = "") -> sa.TableClause:
    typed = [sa.column(one, columns.Id()) for one in ids.split()]
    typed += [sa.column(one, columns.Instant()) for one in instants.split()]
    return sa.table(name, *typed, *map(sa.column, others.split()))


_CORRECTIONS = sa.table(
    "corrections",
    *(sa.column(one, columns.Id()) for one in ("company_id", "user_id", "id", "shift")),
    sa.column("date", sa.Date()),
    *(sa.column(one, columns.Instant()) for one in ("new_start", "new_end", "requested_at", "decided_at", "shift_at")),
)
_VOIDS = _table("voids", "company_id user_id id", "start_at end_at decided_at", "stamp_ids spared")
_SETTINGS = sa.table(
    "company_settings",
    sa.column("company_id", columns.Id()),
    sa.column("setting"),
    sa.column("valid_from", sa.Date()),
    sa.column("value"),
)
_HOLDINGS = _table("tag_holdings", "company_id user_id", "held_from held_until", "tag")
_TAGS = _table("tag_numbers", "company_id", "", "tag no")
_STAMPS = _table("stamps", "company_id id", "at", "tag_no stream_no seq reported_bits status")
_STREAMS = _table("streams", "epoch", "", "no device_no")
_DEVICES = _table("devices", "id", "", "no")


def upgrade() -> None:
    for now, then in _COLUMNS.items():
        op.execute(f"ALTER TABLE corrections RENAME COLUMN {now} TO {then}")
    connection = op.get_bind()
    found = connection.execute(sa.select(_CORRECTIONS).order_by(_CORRECTIONS.c.company_id, _CORRECTIONS.c.user_id))
    for (company, user), rows in groupby(found.all(), key=lambda row: (row.company_id, row.user_id)):
        rules = _rules(connection, company)
        for settled in _settled(connection, company, user, rows, rules):
            same = (_CORRECTIONS.c.company_id == company) & (_CORRECTIONS.c.id == settled.id)
            values = {"shift": settled.shift, "shift_at": settled.shift_at}
            connection.execute(_CORRECTIONS.update().where(same).values(values))


def downgrade() -> None:
    """A shift's first stamp is an entry's id as well."""
    for now, then in _COLUMNS.items():
        op.execute(f"ALTER TABLE corrections RENAME COLUMN {then} TO {now}")


def _settled(
    connection: sa.Connection, company: str, user: str, rows: Iterable[Any], rules: DatedRules
) -> Iterable[Correction]:
    """A person's corrections, each as it stands at its turn."""
    corrections = [
        Correction(
            row.id,
            row.date,
            row.new_start,
            row.new_end,
            None,
            row.requested_at,
            row.decided_at,
            row.shift,
            row.shift_at,
        )
        for row in rows
    ]
    voids = [
        Void(
            row.id,
            row.start_at,
            row.end_at,
            row.decided_at,
            frozenset(json.loads(row.stamp_ids)),
            frozenset(json.loads(row.spared)),
        )
        for row in connection.execute(
            sa.select(_VOIDS).where(_VOIDS.c.company_id == company, _VOIDS.c.user_id == user)
        )
    ]
    for island in split(_stamps(connection, company, user), corrections, voids, rules):
        timeline = Timeline(island.stamps, rules)
        for decision in sorted(island.decisions, key=lambda one: (one.decided_at, one.id)):
            if isinstance(decision, Correction):
                decision = _held(timeline, decision)
                yield decision
            timeline.apply([decision])


def _held(timeline: Timeline, correction: Correction) -> Correction:
    """The correction with its shift; until now one that its bounds only touched was concerned as well."""
    settled = timeline.settle(correction)
    if settled.shift is None:
        for shift in shifts.group(timeline.settle_island().drafts):
            last = max(draft.end_at or draft.known_at for draft in shift)
            touches = shift[0].known_at <= correction.new_end and correction.new_start <= last
            if shifts.date_of(shift) == correction.date and touches:
                return timeline.settle(replace(correction, shift=shift[0].id))
    return settled


def _stamps(connection: sa.Connection, company: str, user: str) -> list[Stamp]:
    """A person's stamps: those of the tags they held, while they held them."""
    held, stamp = _HOLDINGS.c, _STAMPS.c
    found = (
        sa.select(stamp.id, stamp.at, stamp.seq, stamp.reported_bits, _STREAMS.c.epoch, _DEVICES.c.id.label("device"))
        .join_from(_HOLDINGS, _TAGS, (_TAGS.c.company_id == held.company_id) & (_TAGS.c.tag == held.tag))
        .join(_STAMPS, (stamp.company_id == held.company_id) & (stamp.tag_no == _TAGS.c.no))
        .join(_STREAMS, _STREAMS.c.no == stamp.stream_no)
        .join(_DEVICES, _DEVICES.c.no == _STREAMS.c.device_no)
        .where(held.company_id == company, held.user_id == user, stamp.status.bitwise_and(_DISCARDED) == 0)
        .where(held.held_from.is_(None) | (stamp.at >= held.held_from))
        .where(held.held_until.is_(None) | (stamp.at < held.held_until))
    )
    stamps = [
        Stamp(
            row.id,
            row.at,
            _DIRECTIONS[row.reported_bits & 3],
            row.device,
            row.epoch,
            row.seq,
            answer=row.reported_bits & _ANSWER != 0,
        )
        for row in connection.execute(found)
    ]
    return sorted(stamps, key=order)


def _rules(connection: sa.Connection, company: str) -> DatedRules:
    ruling = _SETTINGS.c.setting.in_(sorted(_RULED))
    found = sa.select(_SETTINGS).where(_SETTINGS.c.company_id == company, ruling).order_by(_SETTINGS.c.valid_from)
    dated: list[tuple[date | None, Rules]] = [(None, Rules())]
    for row in connection.execute(found):
        value = json.loads(row.value)
        change = {_RULED[row.setting]: ZoneInfo(value) if row.setting == "time_zone" else value}
        dated.append((row.valid_from, replace(dated[-1][1], **change)))
    return DatedRules(dated)
