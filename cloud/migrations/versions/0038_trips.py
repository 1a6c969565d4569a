"""Trips by private car that employees ask to be paid."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0038_trips"
down_revision = "0037_answers_mark"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "trips",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("destination", sa.Text(), nullable=False),
        sa.Column("kilometres", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("created_at", columns.Instant(), nullable=False),
        sa.Column("decided_at", columns.Instant(), nullable=True),
        sa.Column("decided_by", columns.Id(), nullable=True),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "id", name=op.f("pk_trips")),
    )
    op.create_index("ix_trips_company_id_date", "trips", ["company_id", "date", "id"])
    op.create_index("ix_trips_company_id_user_id", "trips", ["company_id", "user_id"])


def downgrade() -> None:
    op.drop_table("trips")
