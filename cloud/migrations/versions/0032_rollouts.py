"""Versions that reach clocks by stages, and the platform that a clock says it runs on."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0032_rollouts"
down_revision = "0031_updates"
branch_labels = None
depends_on = None

_OPEN = sa.text("state IN ('running', 'paused')")


def upgrade() -> None:
    op.add_column("device_beats", sa.Column("platform", sa.String(100), nullable=True))
    op.create_table(
        "rollouts",
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("channel", sa.String(10), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("state", sa.String(15), nullable=False),
        sa.Column("stages", sa.Text(), nullable=False),
        sa.Column("stage_days", sa.SmallInteger(), nullable=False),
        sa.Column("stage", sa.SmallInteger(), nullable=False),
        sa.Column("days", sa.SmallInteger(), nullable=False),
        sa.Column("started_at", columns.Instant(), nullable=False),
        sa.Column("settled_at", columns.Instant(), nullable=True),
        sa.Column("looked", sa.Integer(), nullable=False),
        sa.Column("judged_on", sa.Date(), nullable=True),
        sa.Column("reason", sa.String(500), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rollouts")),
    )
    op.create_index(
        "uq_rollouts_open_channel",
        "rollouts",
        ["channel"],
        unique=True,
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    )
    op.create_table(
        "rollout_clocks",
        sa.Column("rollout_id", columns.Id(), nullable=False),
        sa.Column("device_no", columns.Serial, autoincrement=False, nullable=False),
        sa.Column("stage", sa.SmallInteger(), nullable=False),
        sa.Column("from_version", sa.String(100), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("told_at", columns.Instant(), nullable=True),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.Column("back_to", sa.String(40), nullable=True),
        sa.ForeignKeyConstraint(
            ["rollout_id"], ["rollouts.id"], name=op.f("fk_rollout_clocks_rollout_id_rollouts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["device_no"], ["devices.no"], name=op.f("fk_rollout_clocks_device_no_devices")),
        sa.PrimaryKeyConstraint("rollout_id", "device_no", name=op.f("pk_rollout_clocks")),
    )


def downgrade() -> None:
    op.drop_table("rollout_clocks")
    op.drop_table("rollouts")
    op.drop_column("device_beats", "platform")
