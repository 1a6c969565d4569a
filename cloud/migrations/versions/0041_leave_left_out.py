"""The days of company holidays that a request for leave contains and does not hold."""

import json
import uuid
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0041_leave_left_out"
down_revision = "0040_log_order"
branch_labels = None
depends_on = None

_DAY = timedelta(days=1)
_LEAVE = sa.table(
    "vacation_requests",
    sa.column("company_id", columns.Id()),
    sa.column("id", columns.Id()),
    sa.column("user_id", columns.Id()),
    sa.column("kind", sa.String()),
    sa.column("start_date", sa.Date()),
    sa.column("end_date", sa.Date()),
    sa.column("start_half", sa.Boolean()),
    sa.column("end_half", sa.Boolean()),
    sa.column("reason", sa.Text()),
    sa.column("status", sa.String()),
    sa.column("created_at", columns.Instant()),
    sa.column("created_by", columns.Id()),
    sa.column("decided_at", columns.Instant()),
    sa.column("decided_by", columns.Id()),
    sa.column("comment", sa.Text()),
    sa.column("cancel_requested_at", columns.Instant()),
    sa.column("cancel_reason", sa.Text()),
    sa.column("closure_id", columns.Id()),
    sa.column("left_out", sa.Text()),
)


def upgrade() -> None:
    op.add_column("vacation_requests", sa.Column("left_out", sa.Text(), nullable=True))


def downgrade() -> None:
    """Splits a request at the days that it leaves out, so that it holds and costs the same days as before."""
    connection = op.get_bind()
    for row in connection.execute(sa.select(_LEAVE).where(_LEAVE.c.left_out.is_not(None))).mappings().all():
        same_row = (_LEAVE.c.company_id == row["company_id"]) & (_LEAVE.c.id == row["id"])
        first, *rest = _held_days(dict(row))
        connection.execute(sa.update(_LEAVE).where(same_row).values(first))
        for values in rest:
            connection.execute(sa.insert(_LEAVE).values(dict(row) | values | {"id": str(uuid.uuid4())}))
    op.drop_column("vacation_requests", "left_out")


def _held_days(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the days of each request that the row becomes."""
    ranges: list[tuple[date, date]] = []
    start, end = row["start_date"], row["end_date"]
    for first, last in (map(date.fromisoformat, gap) for gap in json.loads(row["left_out"])):
        if start < first:
            ranges.append((start, first - _DAY))
        start = last + _DAY
    if start <= end:
        ranges.append((start, end))
    return [
        {
            "start_date": first,
            "end_date": last,
            "start_half": row["start_half"] and first == row["start_date"],
            "end_half": row["end_half"] and last == end,
        }
        for first, last in ranges
    ]
