"""Alarms of clocks, and whom a company wants to be told."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0030_alarms"
down_revision = "0029_support"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alarms",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("device_no", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("since", columns.Instant(), nullable=False),
        sa.Column("raised", sa.Boolean(), nullable=False),
        sa.Column("calm_since", columns.Instant(), nullable=True),
        sa.Column("until", columns.Instant(), nullable=True),
        sa.Column("acknowledged_by", columns.Id(), nullable=True),
        sa.Column("acknowledged_at", columns.Instant(), nullable=True),
        sa.Column("told", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_alarms")),
    )
    still = sa.text("until IS NULL")
    op.create_index(
        "uq_alarms_open",
        "alarms",
        ["company_id", "device_no", "kind"],
        unique=True,
        sqlite_where=still,
        postgresql_where=still,
    )
    op.create_index("ix_alarms_until", "alarms", ["until"])
    op.create_index("ix_alarms_since", "alarms", ["since", "id"])
    op.create_table(
        "alarm_settings",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("mail", sa.Boolean(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_alarm_settings")),
    )


def downgrade() -> None:
    op.drop_table("alarm_settings")
    op.drop_table("alarms")
