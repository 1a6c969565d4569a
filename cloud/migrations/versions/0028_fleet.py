"""Clocks that are withdrawn or replaced, and how they were."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0028_fleet"
down_revision = "0027_closures"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("devices", sa.Column("withdrawn", sa.String(20), nullable=True))
    op.add_column("devices", sa.Column("withdrawn_why", sa.String(500), nullable=False, server_default=sa.text("''")))
    op.execute("UPDATE devices SET withdrawn = 'revoked' WHERE revoked_at IS NOT NULL")
    op.create_table(
        "device_predecessors",
        sa.Column("device_no", columns.Serial, autoincrement=False, nullable=False),
        sa.Column("predecessor_no", columns.Serial, autoincrement=False, nullable=False),
        sa.Column("replaced_at", columns.Instant(), nullable=False),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_device_predecessors_device_no_devices")),
        sa.ForeignKeyConstraint(
            ["predecessor_no"], ["devices.no"], name=op.f("fk_device_predecessors_predecessor_no_devices")
        ),
        sa.PrimaryKeyConstraint("device_no", "predecessor_no", name=op.f("pk_device_predecessors")),
    )
    op.create_index(op.f("ix_device_predecessors_predecessor_no"), "device_predecessors", ["predecessor_no"])
    op.create_table(
        "device_moments",
        sa.Column("device_no", columns.Serial, autoincrement=False, nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("online", sa.Boolean(), nullable=False),
        sa.Column("queue_depth", sa.BigInteger(), nullable=True),
        sa.Column("quality", sa.String(10), nullable=True),
        sa.Column("reader", sa.String(10), nullable=True),
        sa.Column("version", sa.String(100), nullable=True),
        sa.Column("disk_free_mb", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_device_moments_device_no_devices")),
        sa.PrimaryKeyConstraint("device_no", "at", name=op.f("pk_device_moments")),
    )
    op.create_index("ix_device_moments_at", "device_moments", ["at"])


def downgrade() -> None:
    op.drop_table("device_moments")
    op.drop_table("device_predecessors")
    op.drop_column("devices", "withdrawn_why")
    op.drop_column("devices", "withdrawn")
