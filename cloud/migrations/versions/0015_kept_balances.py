"""What accounts carry out of ended months is kept; it is made from the facts, so nothing is carried over."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0015_kept_balances"
down_revision = "0014_late_in_deleted"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_balances",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("user_id", columns.Id(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "user_id", "first", name=op.f("pk_kept_balances")),
    )


def downgrade() -> None:
    op.drop_table("kept_balances")
