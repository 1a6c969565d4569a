"""Rates and wages of a company, from a day on."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0025_costs"
down_revision = "0024_monthly_mail"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "compensation_values",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("subject", sa.String(100), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("set_at", columns.Instant(), nullable=False),
        sa.Column("set_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "name", "subject", "valid_from", name=op.f("pk_compensation_values")),
    )


def downgrade() -> None:
    op.drop_table("compensation_values")
