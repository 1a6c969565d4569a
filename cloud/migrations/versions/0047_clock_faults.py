"""Columns for a clock's storage and its view of the certificate; a downgrade removes the new kinds of alarms.

Forks and conflicts that exist before the update become alarms that are listed and not mailed.
"""

import time
import uuid

import sqlalchemy as sa
from alembic import op

revision = "0047_clock_faults"
down_revision = "0046_muted_alarms"
branch_labels = None
depends_on = None

_STANDING = """
    SELECT device_assignments.company_id, devices.no, devices.identity_conflict, device_leases.forked
    FROM devices
    JOIN device_assignments ON device_assignments.device_no = devices.no
    JOIN device_leases ON device_leases.device_no = devices.no
    JOIN device_beats ON device_beats.device_no = devices.no
    WHERE device_assignments.ends_at IS NULL AND devices.revoked_at IS NULL
    AND device_beats.seen_at >= device_assignments.assigned_at
    AND (devices.identity_conflict OR device_leases.forked)
"""
_RAISE = """
    INSERT INTO alarms (company_id, id, device_no, kind, since, raised, told)
    VALUES (:company_id, :id, :device_no, :kind, :since, true, '[]')
"""


def upgrade() -> None:
    op.add_column("device_beats", sa.Column("storage", sa.String(10), nullable=True))
    op.add_column("device_beats", sa.Column("cert_days_left", sa.BigInteger(), nullable=True))
    op.add_column("device_beats", sa.Column("cert_days", sa.BigInteger(), nullable=True))
    _list_standing_faults()


def _list_standing_faults() -> None:
    bind, now_ms = op.get_bind(), time.time_ns() // 1_000_000
    for company_id, device_no, has_conflict, is_forked in bind.execute(sa.text(_STANDING)).all():
        for kind, exists in (("conflict", has_conflict), ("fork", is_forked)):
            if exists:
                row = {"company_id": company_id, "id": str(uuid.uuid4()), "device_no": device_no, "kind": kind}
                bind.execute(sa.text(_RAISE), row | {"since": now_ms})


def downgrade() -> None:
    # The release before answers no kind that it does not know.
    kinds = "('storage', 'clocktime', 'fork', 'conflict', 'update', 'version', 'withdrawn', 'cert')"
    op.execute(sa.text(f"DELETE FROM alarms WHERE kind IN {kinds}"))  # noqa: S608 -- no values
    op.drop_column("device_beats", "cert_days")
    op.drop_column("device_beats", "cert_days_left")
    op.drop_column("device_beats", "storage")
