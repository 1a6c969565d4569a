"""The signed repository from which clocks take their updates."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0031_updates"
down_revision = "0030_alarms"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "update_metadata",
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("version", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("at", columns.Instant(), nullable=False),
        sa.PrimaryKeyConstraint("role", "version", name=op.f("pk_update_metadata")),
    )
    op.create_table(
        "update_releases",
        sa.Column("channel", sa.String(10), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("published_at", columns.Instant(), nullable=False),
        sa.Column("withdrawn_at", columns.Instant(), nullable=True),
        sa.Column("reason", sa.String(500), nullable=False),
        sa.PrimaryKeyConstraint("channel", "version", name=op.f("pk_update_releases")),
    )
    op.create_table(
        "update_targets",
        sa.Column("path", sa.String(250), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("channel", sa.String(10), nullable=False),
        sa.Column("platform", sa.String(40), nullable=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("length", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel", "version"],
            ["update_releases.channel", "update_releases.version"],
            name=op.f("fk_update_targets_channel_update_releases"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("path", "version", name=op.f("pk_update_targets")),
    )


def downgrade() -> None:
    op.drop_table("update_targets")
    op.drop_table("update_releases")
    op.drop_table("update_metadata")
