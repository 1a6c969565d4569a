"""Advances on wages that employees ask for."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0053_advances"
down_revision = "0052_rate_windows"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "advances",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.Column("asked_at", columns.Instant(), nullable=False),
        sa.Column("decided_at", columns.Instant(), nullable=True),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.Column("approved", sa.Boolean(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_advances")),
    )
    op.create_index(
        "uq_advances_company_id_user_id",
        "advances",
        ["company_id", "user_id"],
        unique=True,
        sqlite_where=sa.text("decided_at IS NULL"),
        postgresql_where=sa.text("decided_at IS NULL"),
    )
    op.create_index("ix_advances_company_id_user_id_asked_at", "advances", ["company_id", "user_id", "asked_at"])
    op.create_index("ix_advances_decided_at", "advances", ["decided_at"])


def downgrade() -> None:
    op.drop_table("advances")
