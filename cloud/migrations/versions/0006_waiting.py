"""Indexes in which what waits is found in the order of its lists, and which SQLite takes for what is asked."""

import sqlalchemy as sa
from alembic import op

revision = "0006_waiting"
down_revision = "0003_audit"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_stamps_waits", "stamps")
    op.create_index(
        "ix_stamps_waits",
        "stamps",
        ["company_id", "at", "id"],
        sqlite_where=sa.text("waits = 1"),
        postgresql_where=sa.text("waits"),
    )
    for table in ("stray_stamps", "quarantined_stamps"):
        op.create_index(f"ix_{table}_received_at_id_device_no", table, ["received_at", "id", "device_no"])


def downgrade() -> None:
    for table in ("stray_stamps", "quarantined_stamps"):
        op.drop_index(f"ix_{table}_received_at_id_device_no", table)
    op.drop_index("ix_stamps_waits", "stamps")
    op.create_index(
        "ix_stamps_waits",
        "stamps",
        ["company_id"],
        sqlite_where=sa.text("waits"),
        postgresql_where=sa.text("waits"),
    )
