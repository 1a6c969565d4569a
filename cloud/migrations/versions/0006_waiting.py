"""Indexes in which what waits for somebody, stamps and entries, is found in the order of its lists, on both databases."""

import sqlalchemy as sa
from alembic import op

revision = "0006_waiting"
down_revision = "0005_name_keys"
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
    op.create_index(
        "ix_entries_flagged",
        "entries",
        ["company_id", "id"],
        sqlite_where=sa.text("flags <> 0"),
        postgresql_where=sa.text("flags <> 0"),
    )
    op.add_column("derivation_revisions", sa.Column("swept_to", sa.Date(), nullable=True))


def downgrade() -> None:
    op.drop_column("derivation_revisions", "swept_to")
    op.drop_index("ix_entries_flagged", "entries")
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
