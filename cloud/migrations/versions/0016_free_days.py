"""Days that a company gives everybody."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0016_free_days"
down_revision = "0015_kept_balances"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "free_days",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("half", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "date", name=op.f("pk_free_days")),
    )


def downgrade() -> None:
    op.drop_table("free_days")
