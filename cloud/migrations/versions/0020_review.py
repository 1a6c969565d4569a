"""What administrators have left as it is of entries."""

import sqlalchemy as sa
from alembic import op
from stempelwerk_cloud.kit.database import columns

revision = "0020_review"
down_revision = "0019_lanes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "review_confirmations",
        sa.Column("company_id", columns.Id(), nullable=False),
        sa.Column("entry_id", columns.Id(), nullable=False),
        sa.Column("bits", sa.SmallInteger(), nullable=False),
        sa.Column("confirmed_at", columns.Instant(), nullable=False),
        sa.Column("confirmed_by", columns.Id(), nullable=True),
        sa.PrimaryKeyConstraint("company_id", "entry_id", name=op.f("pk_review_confirmations")),
    )


def downgrade() -> None:
    op.drop_table("review_confirmations")
